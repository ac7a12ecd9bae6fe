import type {
  Clock,
  Completion,
  FinishAndClaimRequest,
  FinishAndClaimResult,
  FleetState,
  FleetStateRequest,
  MigrationSet,
  Placed,
  ProgressRow,
  Signal,
  Store,
  StoreReader,
  StoreTx,
  TimesRow,
  WorkerRow,
} from "@andon/engine";
import { failPoint } from "@andon/engine";
import type { Database, Dialect, Session } from "./dialect.ts";
import type { HotVerbs } from "./hot-verbs.ts";
import { ENGINE_MIGRATIONS, migrate } from "./migrate.ts";
import { mergeTallies } from "./readers/count-reader.ts";
import { readFleetState } from "./readers/fleet-state-reader.ts";
import { storeReader } from "./readers/index.ts";
import { OF_ANOTHER, refuseTx } from "./refused-tx.ts";
import { Signals } from "./signals.ts";
import { reserveBulk } from "./steps/bulk-steps.ts";
import * as housekeeperSteps from "./steps/housekeeper-steps.ts";
import { stampStarts } from "./steps/ledger-steps.ts";
import { ensureQueue } from "./steps/queue-steps.ts";
import { saveTimes } from "./steps/save-times.ts";
import { type Place, SHARE_OUT } from "./steps/share-out.ts";
import type { StepContext } from "./steps/statement-registry.ts";
import * as workerSteps from "./steps/worker-steps.ts";
import { SqlStoreTx } from "./store-tx.ts";
import { LONGEST_TRANSACTION_MS, NO_LIMIT, refuseNesting } from "./transaction-scope.ts";
import { tryAgain } from "./try-again.ts";

/** What both stores share: everything except the hot verbs, the signals between processes and the clock. */
export abstract class SqlStore implements Store {
  readonly read: StoreReader;
  abstract readonly clock: Clock;
  abstract readonly parallelRequests: number;
  abstract readonly restingBeatMs: number | null;
  protected readonly signals = new Signals();
  protected abstract readonly hot: HotVerbs;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    const { dialect, reader, scanner } = database;
    this.read = storeReader({ session: reader, dialect, now: 0 }, { session: scanner, dialect, now: 0 });
  }

  protected get dialect(): Dialect {
    return this.#database.dialect;
  }

  protected at(session: Session): StepContext {
    return { session, dialect: this.dialect, now: this.clock.now() };
  }

  /** Keeps other processes from migrating at the same time; on SQLite the transaction's own lock does that. */
  protected async lockMigrations(_session: Session): Promise<void> {}

  async migrate(sets: readonly MigrationSet[] = [ENGINE_MIGRATIONS]): Promise<void> {
    await this.#write(async (session) => {
      await this.lockMigrations(session);
      for (const set of sets) await migrate(session, this.dialect, set, this.clock.now());
    }, NO_LIMIT);
  }

  async query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.#database.reader.raw<Row>(sql, params);
  }

  async scan<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.#database.scanner.raw<Row>(sql, params);
  }

  async ready(): Promise<void> {
    await this.#database.reader.raw(this.dialect.ready, []);
  }

  async ensureQueue(name: string): Promise<void> {
    await this.#write((session) => ensureQueue(this.at(session), name));
  }

  async shareOut(queue: string): Promise<void> {
    for (const { from, step } of SHARE_OUT)
      for (let place: Place | undefined = from; place; ) {
        const after: Place = place;
        const run = (session: Session) => step(this.at(session), queue, after);
        place = await this.#write(run, LONGEST_TRANSACTION_MS, this.#database, () => true);
      }
    this.signal({ kind: "work", queue });
  }

  abstract enqueue(...jobs: Parameters<Store["enqueue"]>): Promise<Placed[]>;
  abstract finishAndClaim(request: FinishAndClaimRequest): Promise<FinishAndClaimResult>;
  abstract finishLate(...completion: Parameters<Store["finishLate"]>): ReturnType<Store["finishLate"]>;

  async stampStarts(queue: string, worker: string, from: number, to: number): Promise<boolean> {
    return this.#write((session) => stampStarts(this.at(session), queue, worker, from, to));
  }

  /** The steps on a transaction that the caller opened with its own client. */
  protected abstract joinOwn(client: unknown): Promise<StoreTx>;

  async join(given: unknown): Promise<StoreTx> {
    if (!(given instanceof SqlStoreTx)) return this.joinOwn(given);
    return given.store === this ? given : refuseTx(OF_ANOTHER);
  }

  async transaction<T>(
    verb: string,
    work: (tx: StoreTx) => Promise<T>,
    limitMs = LONGEST_TRANSACTION_MS,
  ): Promise<T> {
    let signals: Signal[] = [];
    let holdsQueueLock = false;
    const run = async (session: Session) => {
      failPoint(verb, "begin");
      const tx = new SqlStoreTx(this.at(session), this.hot, this);
      try {
        const worked = await work(tx);
        await tx.flush();
        failPoint(verb, "before-commit");
        signals = tx.hasEvents ? [...tx.signals, { kind: "feed" }] : tx.signals;
        return worked;
      } finally {
        ({ holdsQueueLock } = tx);
      }
    };
    const result = await this.#write(run, limitMs, this.#database, () => holdsQueueLock);
    failPoint(verb, "after-commit");
    for (const signal of signals) this.signal(signal);
    return result;
  }

  /**
   * Our own locks are taken in one order, but those on a caller's tables in the same transaction may still form a
   * cycle. A lock time-out is retried only if the time limit was ours, not a caller's.
   */
  #write<T>(
    work: (session: Session) => Promise<T>,
    limitMs = LONGEST_TRANSACTION_MS,
    database = this.#database,
    holdsQueueLock = () => false,
  ): Promise<T> {
    const obstacleOf = (error: unknown) => {
      const obstacle = database.obstacleOf(error);
      return obstacle === "locked" && !holdsQueueLock() ? undefined : obstacle;
    };
    return tryAgain(() => database.transaction(work, limitMs), obstacleOf);
  }

  /**
   * The connection for beats: they must not wait behind other work of this process, or other processes take its jobs
   * back.
   */
  protected get pulse(): Database {
    return this.#database;
  }

  async look(request: FleetStateRequest): Promise<FleetState> {
    return this.readFleetState(request);
  }

  protected readFleetState(request: FleetStateRequest): Promise<FleetState & { now: number }> {
    return readFleetState(this.at(this.pulse.reader), request);
  }

  takePost(role: string, worker: string, term: number | null): Promise<boolean> {
    return this.#onPulse((at) => housekeeperSteps.takePost(at, role, worker, term));
  }

  beatPost(role: string, worker: string, term: number): Promise<boolean> {
    return this.#onPulse((at) => housekeeperSteps.beatPost(at, role, worker, term));
  }

  leavePost(role: string, worker: string, term: number): Promise<void> {
    return this.#onPulse((at) => housekeeperSteps.leavePost(at, role, worker, term));
  }

  #onPulse<T>(work: (at: StepContext) => Promise<T>): Promise<T> {
    return this.#write((session) => work(this.at(session)), LONGEST_TRANSACTION_MS, this.pulse);
  }

  async beat(worker: WorkerRow) {
    const { pulse } = this;
    const known = await this.#onPulse((at) => workerSteps.beat(at, worker));
    const cancels = known ? await workerSteps.cancelWishes(this.at(pulse.reader), worker.id) : [];
    return { known, cancels };
  }

  async confirmDone(worker: string, done: readonly Completion[]): Promise<Set<number>> {
    return workerSteps.confirmDone(this.at(this.#database.reader), worker, done);
  }

  async saveProgress(rows: readonly ProgressRow[]): Promise<void> {
    const told = await this.#write((session) => this.hot.saveProgress(session, rows, this.clock.now()));
    if (told) this.signal({ kind: "feed" });
  }

  reserveBulk(queue: string, ms: number, credit: number, most: number): Promise<number> {
    return this.#write((session) => reserveBulk(this.at(session), queue, { ms, credit, most }));
  }

  async giveWay(): Promise<void> {}

  async saveTimes(rows: readonly TimesRow[]): Promise<void> {
    await this.#write((session) => saveTimes(this.at(session), rows));
  }

  async compact(): Promise<void> {
    const told = await this.#write((session) => mergeTallies(this.at(session)));
    if (told) this.signal({ kind: "feed" });
  }

  refuseNesting(): void {
    refuseNesting();
  }

  isUnavailable(error: unknown): boolean {
    return this.#database.isUnavailable(error);
  }

  isLocked(error: unknown): boolean {
    return this.#database.obstacleOf(error) === "locked";
  }

  refuses(error: unknown): boolean {
    return this.#database.refuses(error);
  }

  hasNoRoom(error: unknown): boolean {
    return this.#database.hasNoRoom(error);
  }

  signal(signal: Signal): void {
    this.signals.emit(signal);
  }

  onSignal(listener: (signal: Signal) => void): () => void {
    return this.signals.on(listener);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}
