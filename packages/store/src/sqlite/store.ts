import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Clock,
  type Completion,
  type FinishAndClaimRequest,
  type FinishAndClaimResult,
  type NewJob,
  type Placed,
  type StoreTx,
  systemClock,
} from "@andon/engine";
import type { HotVerbs } from "../hot-verbs.ts";
import { SqlStore } from "../sql-store.ts";
import { enqueueSqlite, joinLanesSqlite } from "../statements/enqueue.sqlite.ts";
import { finishAndClaimSqlite, finishSqlite } from "../statements/finish-and-claim.sqlite.ts";
import { saveProgressSqlite } from "../statements/progress.sqlite.ts";
import { SqlStoreTx } from "../store-tx.ts";
import { SqliteDatabase, type SqliteOptions } from "./database.ts";
import { sqliteDialect } from "./dialect.ts";
import { inTransaction } from "./own-connection.ts";
import { SyncSession, sqliteSession } from "./session.ts";

/** How often the file is checked for commits of other processes: soon after one, rarely while it is quiet. */
const SOONEST_LOOK_MS = 5;
const LATEST_LOOK_MS = 50;
/**
 * A request that arrives while a statement runs needs a turn of the event loop to connect, one to be read and one to be
 * handled. With a single turn between two chunks of a bulk job, two of three aborts let one more chunk begin.
 */
const TURNS_OF_A_REQUEST = 4;

export class SqliteStore extends SqlStore {
  readonly clock: Clock;
  readonly parallelRequests = 1;
  /** SQLite does not know which processes have the file open. */
  readonly restingBeatMs = 60_000;
  protected readonly hot: HotVerbs;
  readonly #database: SqliteDatabase;
  #seenVersion = 0;
  #lookEvery = SOONEST_LOOK_MS;
  #look: NodeJS.Timeout | undefined;

  private constructor(database: SqliteDatabase, clock: Clock) {
    super(database);
    this.#database = database;
    this.clock = clock;
    this.hot = hotVerbs(database.writer);
  }

  static async open(
    path: string,
    options: SqliteOptions & { clock?: Clock | undefined },
  ): Promise<SqliteStore> {
    return new SqliteStore(await SqliteDatabase.open(path, options), options.clock ?? systemClock);
  }

  async enqueue(queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]> {
    const hasKeys = jobs.some((job) => job.idempotencyKey !== null);
    const placed = await (hasKeys
      ? this.transaction("enqueue", (tx) => tx.enqueue(queue, serial, jobs))
      : this.#database.immediate((session) => {
          const stored = enqueueSqlite(session, queue, jobs, this.clock.now());
          // An idle worker of this process claims it in the same transaction.
          this.signals.emit({ kind: "work", queue });
          return stored;
        }));
    this.signal({ kind: "work", queue });
    return placed;
  }

  finishAndClaim(request: FinishAndClaimRequest): Promise<FinishAndClaimResult> {
    return this.#database.immediate((session) => finishAndClaimSqlite(session, request, this.clock.now()));
  }

  async finishLate(queue: string, worker: string, completion: Completion) {
    const isDone = await this.#database.immediate((session) =>
      finishSqlite(session, queue, worker, completion, this.clock.now()),
    );
    return isDone ? "done" : "refused";
  }

  override async giveWay(): Promise<void> {
    for (let turn = 0; turn < TURNS_OF_A_REQUEST; turn++) await nextTurn();
  }

  protected async joinOwn(connection: unknown): Promise<StoreTx> {
    const sync = new SyncSession(inTransaction(connection));
    const at = { session: sqliteSession(sync, () => {}), dialect: sqliteDialect, now: this.clock.now() };
    return new SqlStoreTx(at, hotVerbs(sync));
  }

  override onSignal(listener: Parameters<SqlStore["onSignal"]>[0]): () => void {
    const off = super.onSignal(listener);
    if (!this.#look) {
      this.#seenVersion = this.#database.dataVersion() ?? 0;
      this.#scheduleLook();
    }
    return () => {
      off();
      if (!this.signals.listened) this.#stopLooking();
    };
  }

  override async close(): Promise<void> {
    this.#stopLooking();
    await super.close();
  }

  #scheduleLook(): void {
    this.#look = setTimeout(() => {
      const version = this.#database.dataVersion() ?? this.#seenVersion;
      const changed = version !== this.#seenVersion;
      this.#seenVersion = version;
      this.#lookEvery = changed ? SOONEST_LOOK_MS : Math.min(this.#lookEvery * 1.2, LATEST_LOOK_MS);
      this.#scheduleLook();
      if (changed) this.signals.emit({ kind: "any" });
    }, this.#lookEvery);
    this.#look.unref();
  }

  #stopLooking(): void {
    clearTimeout(this.#look);
    this.#look = undefined;
  }
}

/** The hot verbs on a connection. They are synchronous, whatever session the caller holds. */
function hotVerbs(sync: SyncSession): HotVerbs {
  return {
    enqueue: async (session, queue, _serial, jobs, now) => {
      session.check?.();
      return enqueueSqlite(sync, queue, jobs, now);
    },
    finish: async (session, queue, worker, completions, now) => {
      session.check?.();
      return completions.every((completion) => finishSqlite(sync, queue, worker, completion, now));
    },
    claim: async (session, request, now) => {
      session.check?.();
      return finishAndClaimSqlite(sync, { ...request, done: [] }, now);
    },
    // `begin immediate` locks every lane, and joining creates missing ones.
    tryLanes: async (_session, _queue, lanes) => lanes,
    joinLanes: async (session, queue, jobs) => {
      session.check?.();
      joinLanesSqlite(sync, queue, jobs);
    },
    saveProgress: async (session, rows, now) => {
      session.check?.();
      return saveProgressSqlite(sync, rows, now);
    },
  };
}
