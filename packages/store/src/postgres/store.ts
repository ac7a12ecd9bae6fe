import {
  type Clock,
  type Completion,
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
import { joinLanesPostgres, tryLanesPostgres } from "../statements/join-lanes.postgres.ts";
import { saveProgressPostgres } from "../statements/progress.postgres.ts";
import { SqlStoreTx } from "../store-tx.ts";
import { refuseNesting } from "../transaction-scope.ts";
import { checkAddress } from "./address.ts";
import { DatabaseClock } from "./clock.ts";
import { PostgresDatabase } from "./database.ts";
import { LOCK_PATIENCE_MS, MIGRATION_LOCK } from "./dialect.ts";
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
  tryLanes: tryLanesPostgres,
  joinLanes: joinLanesPostgres,
  saveProgress: saveProgressPostgres,
};

const DEFAULT_CONNECTIONS = 10;
/** With one alone, whoever reads while a transaction is open would wait for itself. */
const FEWEST_CONNECTIONS = 2;
/** A process without workers has no beats; its machine may sleep, and the database may be another one, with another time. */
const SET_CLOCK_EVERY_MS = 30_000;

/** One connection is for the beats alone; all others may be waiting for a lock that somebody holds for long. */
interface Connections {
  readonly database: PostgresDatabase;
  readonly pulse: PostgresDatabase;
}

export class PostgresStore extends SqlStore {
  readonly clock: Clock;
  readonly parallelTurns = 2;
  protected readonly hot = hot;
  readonly #database: PostgresDatabase;
  readonly #pulse: PostgresDatabase;
  readonly #setting: NodeJS.Timeout;
  readonly #notifications: Notifications;
  readonly #turns: Turns;

  private constructor({ database, pulse }: Connections, url: string, clock: Clock) {
    super(database);
    this.#database = database;
    this.#pulse = pulse;
    this.clock = clock;
    this.#setting = setInterval(() => void this.#setClock().catch(() => {}), SET_CLOCK_EVERY_MS).unref();
    this.#turns = new Turns(database, clock);
    this.#notifications = new Notifications(url, database.autocommit(), (signal) =>
      this.signals.emit(signal),
    );
  }

  static async open(
    url: string,
    options: { connections?: number | undefined; clock?: Clock | undefined },
  ): Promise<PostgresStore> {
    checkAddress(url);
    const connections = options.connections ?? DEFAULT_CONNECTIONS;
    const database = new PostgresDatabase(url, Math.max(FEWEST_CONNECTIONS, connections - 1));
    const pulse = new PostgresDatabase(url, 1);
    try {
      const clock = options.clock ?? (await DatabaseClock.open(pulse.reader, systemClock));
      return new PostgresStore({ database, pulse }, url, clock);
    } catch (error) {
      await Promise.all([database.close(), pulse.close()]);
      throw error;
    }
  }

  protected override get pulse(): PostgresDatabase {
    return this.#pulse;
  }

  protected override async lockMigrations(session: Session): Promise<void> {
    await session.raw("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  }

  async enqueue(
    queue: string,
    serial: boolean,
    jobs: readonly NewJob[],
    mayWait: boolean,
  ): Promise<Placed[]> {
    refuseNesting();
    if (serial || jobs.some((job) => job.idempotencyKey !== null)) {
      return this.transaction("enqueue", (tx) => tx.enqueue(queue, serial, jobs));
    }
    const enqueue = () =>
      enqueuePostgres(
        this.#database.autocommit(),
        queue,
        serial,
        jobs,
        this.clock.now(),
        String(LOCK_PATIENCE_MS),
      );
    return this.#database.untangled(
      enqueue,
      mayWait ? ["deadlock", "stale-plan", "locked"] : ["deadlock", "stale-plan"],
    );
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#turns.turn(request);
  }

  finishLate(queue: string, worker: string, completion: Completion) {
    return this.#turns.finishLate(queue, worker, completion);
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
    await this.#setClock();
    return super.beat(worker);
  }

  async #setClock(): Promise<void> {
    if (this.clock instanceof DatabaseClock) await this.clock.sync();
  }

  override async close(): Promise<void> {
    clearInterval(this.#setting);
    this.#database.hurry();
    await this.#notifications.close();
    await Promise.all([super.close(), this.#pulse.close()]);
  }
}
