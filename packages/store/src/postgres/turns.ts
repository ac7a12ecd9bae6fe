import type { QueueState } from "@andon/contract";
import type { Claim, Clock, Completion, TurnRequest, TurnResult } from "@andon/engine";
import { compile, type Statement, type Values } from "../statement.ts";
import { claimOf, type RawClaim } from "../statements/job-row.ts";
import { turnStatements } from "../statements/turn.postgres.ts";
import { ClaimFloor, type Floor, LOWEST } from "./claim-floor.ts";
import type { PostgresDatabase } from "./database.ts";
import { postgresDialect } from "./dialect.ts";
import { Tidying } from "./tidying.ts";

const lockExclusive = compile(postgresDialect.lockQueueExclusive, "$");

/** Connections that a worker uses in a quiet hour: one for its turns, one for whoever adds meanwhile. */
const PREPARED = 2;

type TurnValues = Values & { readonly now: number };
type ClaimedRow = RawClaim & { queue_state: QueueState };
/** How many completions were accepted; which, where some were not; and which of the others stand in lanes that are locked. */
export type AcceptedRow = { accepted: number; which: string | null; busy?: string | null };

/** Turns of the workers of this process: as one statement where that is enough, else as one flight. */
export class Turns {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;
  readonly #floors = new ClaimFloor();
  readonly #tidying: Tidying;
  #prepared = false;

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#tidying = new Tidying(database.autocommit());
  }

  async turn(request: TurnRequest): Promise<TurnResult> {
    const floor = this.#floors.of(request, this.#clock.monotonic());
    const result = await this.#turnFrom(request, floor);
    if (!this.#prepared) this.#prepare();
    this.#tidying.count(request.done.length, result.claims.length);
    this.#floors.learn(request, result.claims);
    const missing = request.want - result.claims.length;
    if (missing <= 0 || floor === LOWEST) return result;
    // It started at the floor and came back short: what was put in below is claimed now.
    try {
      const more = await this.#turnFrom({ ...request, done: [], want: missing }, LOWEST);
      return { ...result, claims: [...result.claims, ...more.claims] };
    } catch (error) {
      // What the first statement claimed is told all the same; this one may have been committed, and its answer lost.
      return { ...result, doubt: error as Error };
    }
  }

  /**
   * Has the claim planned on a few connections before they are needed: a claim that meets another statement takes the next
   * connection, and planning there takes longer than claiming. No queue has this name, so nothing is claimed.
   */
  #prepare(): void {
    this.#prepared = true;
    const values = { queue: "", worker: "", want: 0, now: this.#clock.now(), ...LOWEST };
    for (let i = 0; i < PREPARED; i++)
      this.#database.reader.all(turnStatements.claim, values).catch(() => {});
  }

  /**
   * Finishes without the queue's lock, so that it may wait for the lanes: where others add to a lane all the time, it would
   * never be found free. A lane that a stranger keeps locked is given up soon, with the job's other lanes.
   */
  async finishLate(
    queue: string,
    worker: string,
    completion: Completion,
  ): Promise<"done" | "refused" | "deferred"> {
    const { keys } = completion;
    const values = { queue, worker, now: this.#clock.now(), keys, ...doneValues([completion]) };
    const { limitWait, waitForLanes, finishInLanes } = turnStatements;
    const steps: Statement[] = [limitWait, waitForLanes, finishInLanes];
    try {
      const [, , finished] = await this.#database.flight(steps.map((step) => [step, values]));
      const [row] = (finished ?? []) as AcceptedRow[];
      return row?.accepted === 1 ? "done" : "refused";
    } catch (error) {
      if (!this.#database.obstacleOf(error)) throw error;
      return "deferred";
    }
  }

  #turnFrom(request: TurnRequest, floor: Floor): Promise<TurnResult> {
    const keys = [...new Set(request.done.flatMap((completion) => completion.keys))];
    const { queue, worker, want } = request;
    const values = { queue, worker, want, now: this.#clock.now(), ...floor, ...doneValues(request.done) };
    const isShort = keys.length === 0 && (!isLimited(request) || isReplacing(request));
    return this.#database.untangled(() =>
      isShort ? this.#shortTurn(request, values) : this.#longTurn(request, values, keys),
    );
  }

  /** Without lanes and limits a turn is one statement, and that is its transaction. */
  async #shortTurn(request: TurnRequest, values: TurnValues): Promise<TurnResult> {
    const { done, want } = request;
    const statement =
      done.length === 0 ? turnStatements.claim : want === 0 ? turnStatements.finish : both(request);
    const rows = await this.#database.reader.all<ClaimedRow & AcceptedRow>(statement, values);
    return resultOf(request, values, rows[0], want > 0 ? rows : []);
  }

  /** Locks in their order, then finish, then claim: each a statement that sees what the locks waited for. */
  async #longTurn(request: TurnRequest, turn: TurnValues, keys: string[]): Promise<TurnResult> {
    const values = { ...turn, ...limitValues(request), ...laneValues(request.done), keys };
    const steps: [Statement, Values][] = [];
    const then = (statement: Statement) => steps.push([statement, values]) - 1;
    const isDone = request.done.length > 0;
    if (keys.length > 0)
      then(isLimited(request) ? turnStatements.lockLanesExclusive : turnStatements.lockLanesShare);
    else if (!isDone) then(lockExclusive);
    const finishAt = isDone
      ? then(keys.length > 0 ? turnStatements.finishInLanes : turnStatements.finishAndLock)
      : -1;
    if (request.want > 0 && request.rate) then(turnStatements.rateSetBack);
    const claimAt = request.want > 0 ? then(claimStatement(request)) : -1;
    const rateAt = request.want > 0 && request.rate ? then(turnStatements.rateAllows) : -1;
    const results = await this.#database.flight(steps);
    const result = resultOf(
      request,
      values,
      results[finishAt]?.[0] as AcceptedRow,
      (results[claimAt] ?? []) as never[],
    );
    const rateAllows = (results[rateAt]?.[0] as { at: number | null } | undefined)?.at ?? null;
    return { ...result, lookAgainAt: result.claims.length < request.want ? rateAllows : null };
  }
}

/** Limits are decided by counting, under a lock that admits one claim at a time. */
function isLimited(request: TurnRequest): boolean {
  return request.limit !== null || request.rate !== null || request.sharing !== null;
}

/** A turn that claims no more than it finishes keeps a limit by itself. */
function isReplacing({ rate, sharing, done, want }: TurnRequest): boolean {
  return rate === null && sharing === null && want > 0 && want <= done.length;
}

function both(request: TurnRequest): Statement {
  return isLimited(request) ? turnStatements.finishAndReplace : turnStatements.finishAndClaim;
}

function limitValues(request: TurnRequest) {
  return {
    limit: request.limit,
    rateMax: request.rate?.max ?? null,
    rateDuration: request.rate?.duration ?? 0,
    rateLead: request.rate?.lead ?? 0,
    shareMost: request.sharing?.most ?? null,
  };
}

export function finishStatement(inLanes: boolean): Statement {
  return inLanes ? turnStatements.finishInLanes : turnStatements.finish;
}

function claimStatement(request: TurnRequest): Statement {
  if (request.serial) return turnStatements.claimSerial;
  if (request.sharing) return turnStatements.claimShares;
  return isLimited(request) ? turnStatements.claimLimited : turnStatements.claim;
}

/** Which job stands in which lanes, as pairs. */
function laneValues(done: readonly Completion[]) {
  const lanePositions: number[] = [];
  const laneKeys: string[] = [];
  for (const { pos, keys } of done)
    for (const key of keys) {
      lanePositions.push(pos);
      laneKeys.push(key);
    }
  return { lanePositions, laneKeys };
}

export function doneValues(done: readonly Completion[]) {
  const fences: Record<number, number> = {};
  const starts: Record<number, number> = {};
  const results: Record<number, string> = {};
  const progresses: Record<number, string> = {};
  for (const { pos, fence, startedAt, result, progress } of done) {
    fences[pos] = fence;
    starts[pos] = startedAt;
    if (result !== null) results[pos] = result;
    if (progress !== null) progresses[pos] = progress;
  }
  return {
    positions: done.map((completion) => completion.pos),
    fences: JSON.stringify(fences),
    starts: JSON.stringify(starts),
    results: JSON.stringify(results),
    progresses: JSON.stringify(progresses),
  };
}

function resultOf(
  { queue, worker, done }: TurnRequest,
  { now }: TurnValues,
  accepted: AcceptedRow | undefined,
  rows: readonly ClaimedRow[],
): TurnResult {
  const claims: Claim[] = [];
  // A queue that gave nothing still answers with one row, for its state.
  for (const row of rows) if (row.pos !== null) claims.push(claimOf(row, queue, worker, now));
  const deferred = positionsOf(accepted?.busy);
  return {
    refused: refusedOf(done, accepted, deferred),
    deferred,
    claims,
    queueState: rows[0]?.queue_state ?? "open",
    lookAgainAt: null,
    doubt: null,
  };
}

function refusedOf(
  done: readonly Completion[],
  row: AcceptedRow | undefined,
  deferred: readonly number[],
): number[] {
  if (!row || done.length === 0 || row.accepted === done.length) return [];
  const known = new Set([...positionsOf(row.which), ...deferred]);
  return done.map((completion) => completion.pos).filter((pos) => !known.has(pos));
}

function positionsOf(list: string | null | undefined): number[] {
  return list ? list.split(",").map(Number) : [];
}
