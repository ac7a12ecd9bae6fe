import {
  type Clock,
  type NewJob,
  type Placed,
  type Signal,
  type StoreTx,
  systemClock,
  type TurnRequest,
  type TurnResult,
} from "@andon/engine";
import type { Session } from "../dialect.ts";
import type { HotVerbs } from "../hot-verbs.ts";
import { SqlStore } from "../sql-store.ts";
import { enqueuePostgres } from "../statements/enqueue.postgres.ts";
import { SqlStoreTx } from "../store-tx.ts";
import { refuseNesting } from "../transaction-scope.ts";
import { DatabaseClock } from "./clock.ts";
import { PostgresDatabase, type PostgresOptions } from "./database.ts";
import { MIGRATION_LOCK } from "./dialect.ts";
import { Notifications } from "./notifications.ts";
import { inTransaction } from "./own-client.ts";
import { postgresSession } from "./session.ts";
import { type AcceptedRow, doneValues, finishStatement, Turns } from "./turns.ts";

const hot: HotVerbs = {
  enqueue: enqueuePostgres,
  async finish(session, queue, worker, completions, now) {
    const values = { queue, worker, now, ...doneValues(completions) };
    const isInLanes = completions.some(({ keys }) => keys.length > 0);
    const [row] = await session.all<AcceptedRow>(finishStatement(isInLanes), values);
    return row?.accepted === completions.length;
  },
};

export class PostgresStore extends SqlStore {
  readonly clock: Clock;
  readonly parallelTurns = 2;
  protected readonly hot = hot;
  readonly #database: PostgresDatabase;
  readonly #notifications: Notifications;
  readonly #turns: Turns;

  private constructor(database: PostgresDatabase, url: string, clock: Clock) {
    super(database);
    this.#database = database;
    this.clock = clock;
    this.#turns = new Turns(database, clock);
    this.#notifications = new Notifications(url, database.autocommit(), (signal) =>
      this.signals.emit(signal),
    );
  }

  static async open(
    url: string,
    options: PostgresOptions & { clock?: Clock | undefined },
  ): Promise<PostgresStore> {
    const database = new PostgresDatabase(url, options);
    const clock = options.clock ?? (await DatabaseClock.open(database.reader, systemClock));
    return new PostgresStore(database, url, clock);
  }

  protected override async lockMigrations(session: Session): Promise<void> {
    await session.raw("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  }

  async enqueue(queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]> {
    refuseNesting();
    if (serial || jobs.some((job) => job.idempotencyKey !== null)) {
      return this.transaction("enqueue", (tx) => tx.enqueue(queue, serial, jobs));
    }
    return this.#database.untangled(() =>
      enqueuePostgres(this.#database.autocommit(), queue, serial, jobs, this.clock.now()),
    );
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#turns.turn(request);
  }

  protected async joinOwn(client: unknown): Promise<StoreTx> {
    return new SqlStoreTx(this.at(postgresSession(await inTransaction(client))), hot);
  }

  override signal(signal: Signal): void {
    super.signal(signal);
    this.#notifications.send(signal);
  }

  override onSignal(listener: (signal: Signal) => void): () => void {
    this.#notifications.listen();
    return super.onSignal(listener);
  }

  override async beat(worker: Parameters<SqlStore["beat"]>[0]) {
    if (this.clock instanceof DatabaseClock) await this.clock.sync();
    return super.beat(worker);
  }

  override async close(): Promise<void> {
    this.#database.hurry();
    await this.#notifications.close();
    await super.close();
  }
}
