import type { QueueState } from "@andon/contract";
import {
  type Claim,
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
import { compile, type Statement, type Values } from "../statement.ts";
import { enqueuePostgres } from "../statements/enqueue.postgres.ts";
import { claimOf, type RawClaim } from "../statements/job-row.ts";
import { turnStatements } from "../statements/turn.postgres.ts";
import { SqlStoreTx } from "../store-tx.ts";
import { refuseNesting } from "../transaction-scope.ts";
import { ClaimFloor, type Floor, LOWEST } from "./claim-floor.ts";
import { DatabaseClock } from "./clock.ts";
import { PostgresDatabase, type PostgresOptions } from "./database.ts";
import { MIGRATION_LOCK, postgresDialect } from "./dialect.ts";
import { Notifications } from "./notifications.ts";
import { type PostgresClient, postgresSession } from "./session.ts";
import { Tidying } from "./tidying.ts";

const lockShare = compile(postgresDialect.lockQueueShare, "$");
const lockExclusive = compile(postgresDialect.lockQueueExclusive, "$");

const hot: HotVerbs = {
  enqueue: enqueuePostgres,
  async finish(session, queue, worker, completion, now) {
    const statement = completion.keys.length > 0 ? turnStatements.finishInLanes : turnStatements.finish;
    const values = { queue, worker, now, ...doneValues([completion]) };
    return (await session.all(statement, values)).length === 0;
  },
};

export class PostgresStore extends SqlStore {
  readonly clock: Clock;
  readonly parallelTurns = 2;
  protected readonly hot = hot;
  readonly #database: PostgresDatabase;
  readonly #floors = new ClaimFloor();
  readonly #notifications: Notifications;
  readonly #tidying: Tidying;

  private constructor(database: PostgresDatabase, url: string, clock: Clock) {
    super(database);
    this.#database = database;
    this.clock = clock;
    this.#tidying = new Tidying(database.autocommit());
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
    return enqueuePostgres(this.#database.autocommit(), queue, serial, jobs, this.clock.now());
  }

  async turn(request: TurnRequest): Promise<TurnResult> {
    const floor = this.#floors.of(request, this.clock.monotonic());
    const result = await this.#turnFrom(request, floor);
    this.#tidying.count(request.done.length);
    this.#floors.learn(request, result.claims);
    const missing = request.want - result.claims.length;
    if (missing <= 0 || floor === LOWEST) return result;
    // It started at the floor and came back short: what was put in below is claimed now.
    const more = await this.#turnFrom({ ...request, done: [], want: missing }, LOWEST).catch(() => undefined);
    return { ...result, claims: [...result.claims, ...(more?.claims ?? [])] };
  }

  #turnFrom(request: TurnRequest, floor: Floor): Promise<TurnResult> {
    const keys = [...new Set(request.done.flatMap((completion) => completion.keys))];
    const values = this.#values(request, floor);
    const isShort = keys.length === 0 && !isLimited(request);
    return isShort ? this.#shortTurn(request, values) : this.#longTurn(request, values, keys);
  }

  join(client: unknown): StoreTx {
    const at = this.at(postgresSession(client as PostgresClient));
    return new SqlStoreTx(at, hot, true);
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
    await this.#notifications.close();
    await super.close();
  }

  /** Without lanes and limits a turn is one statement, and that is its transaction. */
  async #shortTurn(request: TurnRequest, values: TurnValues): Promise<TurnResult> {
    if (request.done.length === 0) {
      return claimed(await this.#database.reader.all(turnStatements.claim, values), request, values, []);
    }
    if (request.want === 0) {
      const rows = await this.#database.reader.all<{ refused: number }>(turnStatements.finish, values);
      return { refused: rows.map((row) => row.refused), claims: [], queueState: "open", lookAgainAt: null };
    }
    const rows = await this.#database.reader.all<ClaimedRow & { refused: string }>(
      turnStatements.finishAndClaim,
      values,
    );
    const refused = rows[0]?.refused ? rows[0].refused.split(",").map(Number) : [];
    return claimed(rows, request, values, refused);
  }

  /** Locks in their order, then finish, then claim: each a statement that sees what the locks waited for. */
  async #longTurn(request: TurnRequest, turn: TurnValues, keys: string[]): Promise<TurnResult> {
    const values = { ...turn, ...limitValues(request), keys };
    const steps: [Statement, Values][] = [[isLimited(request) ? lockExclusive : lockShare, values]];
    if (keys.length > 0) steps.push([turnStatements.lockLanes, values]);
    const finishAt = steps.length;
    if (request.done.length > 0)
      steps.push([keys.length > 0 ? turnStatements.finishInLanes : turnStatements.finish, values]);
    const claimAt = steps.length;
    if (request.want > 0) steps.push([claimStatement(request), values]);
    if (request.want > 0 && request.rate) steps.push([turnStatements.rateAllows, values]);
    const results = await this.#database.flight(steps);
    const refused =
      request.done.length > 0 ? (results[finishAt] as { refused: number }[]).map((row) => row.refused) : [];
    if (request.want === 0)
      return { refused, claims: [], queueState: results[0]?.[0]?.state as QueueState, lookAgainAt: null };
    const result = claimed(results[claimAt] as unknown as ClaimedRow[], request, values, refused);
    const rateAllows = (results[claimAt + 1]?.[0] as { at: number | null } | undefined)?.at ?? null;
    return { ...result, lookAgainAt: result.claims.length < request.want ? rateAllows : null };
  }

  #values(request: TurnRequest, floor: Floor) {
    return {
      queue: request.queue,
      worker: request.worker,
      now: this.clock.now(),
      want: request.want,
      ...floor,
      ...doneValues(request.done),
    };
  }
}

/** Limits are decided by counting, under a lock that admits one claim at a time. */
function isLimited(request: TurnRequest): boolean {
  return request.limit !== null || request.rate !== null || request.sharing !== null;
}

function limitValues(request: TurnRequest) {
  return {
    limit: request.limit,
    rateMax: request.rate?.max ?? null,
    rateDuration: request.rate?.duration ?? 0,
    shareMost: request.sharing?.most ?? null,
  };
}

type TurnValues = Values & { readonly now: number };
type ClaimedRow = RawClaim & { queue_state: QueueState };

function claimStatement(request: TurnRequest): Statement {
  if (request.serial) return turnStatements.claimSerial;
  if (request.sharing) return turnStatements.claimShares;
  return isLimited(request) ? turnStatements.claimLimited : turnStatements.claim;
}

function claimed(
  rows: ClaimedRow[],
  request: TurnRequest,
  values: { now: number },
  refused: number[],
): TurnResult {
  const claims: Claim[] = [];
  for (const row of rows) {
    if (row.pos !== null) claims.push(claimOf(row, request.queue, request.worker, values.now));
  }
  return { refused, claims, queueState: rows[0]?.queue_state ?? "stopped", lookAgainAt: null };
}

function doneValues(done: TurnRequest["done"]) {
  return {
    positions: done.map((completion) => completion.pos),
    fences: done.map((completion) => completion.fence),
    results: done.map((completion) => completion.result),
  };
}
