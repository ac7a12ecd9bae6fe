import {
  type Clock,
  type Completion,
  type FinishAndClaimRequest,
  type FinishAndClaimResult,
  type FleetState,
  type FleetStateRequest,
  type NewJob,
  type Placed,
  type Signal,
  type StoreTx,
  systemClock,
  type WorkerRow,
} from "@andon/engine";
import type { Session } from "../dialect.ts";
import type { HotVerbs } from "../hot-verbs.ts";
import { SqlStore } from "../sql-store.ts";
import { enqueuePostgres, isSingle } from "../statements/enqueue.postgres.ts";
import { joinLanesPostgres, tryLanesPostgres } from "../statements/join-lanes.postgres.ts";
import { saveProgressPostgres } from "../statements/progress.postgres.ts";
import { SqlStoreTx } from "../store-tx.ts";
import { refuseNesting } from "../transaction-scope.ts";
import { checkAddress } from "./address.ts";
import type { AcceptedRow } from "./claimed-rows.ts";
import { DatabaseClock } from "./clock.ts";
import { doneValues } from "./completion-values.ts";
import { PostgresDatabase } from "./database.ts";
import { LOCK_TIMEOUT_MS, MIGRATION_LOCK } from "./dialect.ts";
import { claimPostgres, FinishAndClaim, finishStatement } from "./finish-and-claim.ts";
import { Notifications } from "./notifications.ts";
import { inTransaction } from "./own-client.ts";
import { postgresSession } from "./session.ts";

const hot: HotVerbs = {
  enqueue: enqueuePostgres,
  async finish(session, queue, worker, completions, now) {
    const values = { queue, worker, now, ...doneValues(completions) };
    const isInLanes = completions.some(({ lanes }) => lanes.length > 0);
    const [row] = await session.all<AcceptedRow>(finishStatement(isInLanes), values);
    return row?.accepted === completions.length;
  },
  claim: claimPostgres,
  tryLanes: tryLanesPostgres,
  joinLanes: joinLanesPostgres,
  saveProgress: saveProgressPostgres,
};

const DEFAULT_CONNECTIONS = 10;
/** One for the pulse and two others: with only one, a read during an open transaction would wait for itself. */
export const FEWEST_CONNECTIONS = 3;
/**
 * A process without workers does not look at the store, so it sets its clock this often: its machine may have slept, or
 * another database with another clock may have taken over.
 */
const SET_CLOCK_EVERY_MS = 30_000;
/** A connection that only listens does not notice a dead peer, so it sends a query this often. */
const ASK_EVERY_MS = 10_000;

/**
 * One connection is reserved for short requests that must not wait: beats, looks, signals. All others may be waiting
 * for a lock that is held for long.
 */
interface Connections {
  readonly database: PostgresDatabase;
  readonly pulse: PostgresDatabase;
}

export class PostgresStore extends SqlStore {
  readonly clock: Clock;
  readonly parallelRequests = 2;
  readonly restingBeatMs = null;
  protected readonly hot = hot;
  readonly #database: PostgresDatabase;
  readonly #pulse: PostgresDatabase;
  readonly #asking: NodeJS.Timeout;
  #askedAt = performance.now();
  readonly #notifications: Notifications;
  readonly #finishAndClaim: FinishAndClaim;

  private constructor({ database, pulse }: Connections, clock: Clock) {
    super(database);
    this.#database = database;
    this.#pulse = pulse;
    this.clock = clock;
    this.#asking = setInterval(() => void this.#ask().catch(() => {}), ASK_EVERY_MS).unref();
    this.#finishAndClaim = new FinishAndClaim(database, clock);
    this.#notifications = new Notifications(pulse, (signal) => this.signals.emit(signal));
  }

  static async open(
    url: string,
    options: { connections?: number | undefined; clock?: Clock | undefined },
  ): Promise<PostgresStore> {
    checkAddress(url);
    const connections = options.connections ?? DEFAULT_CONNECTIONS;
    const database = new PostgresDatabase(url, connections - 1);
    const pulse = new PostgresDatabase(url, 1);
    try {
      const clock = options.clock ?? (await DatabaseClock.open(pulse.reader, systemClock));
      return new PostgresStore({ database, pulse }, clock);
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
    const work: Signal = { kind: "work", queue };
    if (serial || jobs.some((job) => job.idempotencyKey !== null)) {
      const placed = await this.transaction("enqueue", (tx) => tx.enqueue(queue, serial, jobs));
      this.signal(work);
      return placed;
    }
    const notice = isSingle(serial, jobs) ? this.#notifications.noticeOf(work) : null;
    const enqueue = () =>
      enqueuePostgres(
        this.#database.autocommit(),
        queue,
        serial,
        jobs,
        this.clock.now(),
        String(LOCK_TIMEOUT_MS),
        notice,
      );
    const placed = await this.#database.retryOnConflict(
      enqueue,
      mayWait ? ["deadlock", "stale-plan", "locked"] : ["deadlock", "stale-plan"],
    );
    if (notice === null) this.signal(work);
    else super.signal(work);
    return placed;
  }

  finishAndClaim(request: FinishAndClaimRequest): Promise<FinishAndClaimResult> {
    return this.#finishAndClaim.finishAndClaim(request);
  }

  finishLate(queue: string, worker: string, completion: Completion) {
    return this.#finishAndClaim.finishLate(queue, worker, completion);
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

  /** A look also shows that the connection works, and returns the database's time. */
  override async look(request: FleetStateRequest): Promise<FleetState> {
    const sent = systemClock.monotonic();
    const look = await this.readFleetState(request);
    this.#askedAt = sent;
    if (this.clock instanceof DatabaseClock) this.clock.learn(look.now, sent);
    return look;
  }

  override async beat(worker: WorkerRow) {
    const answer = await super.beat(worker);
    if (worker.beat === 0) await this.#notifications.lockWorkerPresence(worker.id);
    return answer;
  }

  /** Replaces looks in a process that makes none. */
  async #ask(): Promise<void> {
    const every = this.#notifications.isListening ? ASK_EVERY_MS : SET_CLOCK_EVERY_MS;
    // A timer may fire a little early or late.
    if (performance.now() - this.#askedAt < every * 0.9) return;
    this.#askedAt = performance.now();
    if (this.clock instanceof DatabaseClock) await this.clock.sync();
    else await this.#pulse.reader.raw("select 1", []);
  }

  override async close(): Promise<void> {
    clearInterval(this.#asking);
    this.#database.hurry();
    this.#pulse.hurry();
    await this.#notifications.close();
    await Promise.all([super.close(), this.#pulse.close()]);
  }
}
