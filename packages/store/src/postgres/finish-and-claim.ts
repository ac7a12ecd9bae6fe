import type { Clock, Completion, FinishAndClaimRequest, FinishAndClaimResult } from "@andon/engine";
import type { Session } from "../dialect.ts";
import { compile, type Statement, type Values } from "../statement.ts";
import { advanceStatements } from "../statements/advance.postgres.ts";
import { finishAndClaimStatements } from "../statements/finish-and-claim.postgres.ts";
import { claimOf, nextClaimOf } from "../statements/job-row.ts";
import { replaceOne } from "../statements/replace-one.postgres.ts";
import { ClaimFloor, type Floor, LOWEST } from "./claim-floor.ts";
import { type AcceptedRow, type ClaimedRows, claimedRowsOf, sortClaims } from "./claimed-rows.ts";
import { advanceValues, doneValues, laneValues, oneValues } from "./completion-values.ts";
import type { PostgresDatabase } from "./database.ts";
import { postgresDialect } from "./dialect.ts";
import { Vacuum } from "./vacuum.ts";

const lockExclusive = compile(postgresDialect.lockQueueExclusive, "$");
const lockShare = compile(postgresDialect.lockQueueShare, "$");

/** Connections that a worker uses while idle: one for its own requests, one for adds in the meantime. */
const PREPARED = 2;

/** The ring of shares from its start, for every stage. */
const NO_SHARES_BEFORE = "{}";

type RequestValues = Values & { readonly now: number };
/** `claimMs`: the time of the claim in the server; 0 if nothing was claimed. */
type Answer = { readonly result: FinishAndClaimResult; readonly claimMs: number };

/** Finishes and claims for the workers of this process: as one statement if possible, otherwise as one flight. */
export class FinishAndClaim {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;
  readonly #floors = new ClaimFloor();
  /** Where the last claim of a queue with fair shares ended. */
  readonly #sharesAfter = new Map<string, string>();
  readonly #vacuum: Vacuum;
  #prepared = false;

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#vacuum = new Vacuum(database.autocommit());
  }

  async finishAndClaim(request: FinishAndClaimRequest): Promise<FinishAndClaimResult> {
    const floor = this.#floors.of(request, this.#clock.monotonic());
    const { result, claimMs } = await this.#claimFrom(request, floor);
    if (!this.#prepared) this.#prepare();
    this.#vacuum.count(request.done.length, result.claims.length);
    this.#floors.learn(request, floor, result.claims, claimMs);
    const missing = request.want - result.claims.length;
    if (missing <= 0 || floor === LOWEST) return result;
    const pause = this.#floors.pause(request.queue, this.#clock.monotonic());
    if (pause !== undefined) return { ...result, lookAgainAt: this.#clock.now() + pause };
    // The claim started at the floor and came back short: claim what was added below it.
    try {
      const more = await this.#claimFrom({ ...request, done: [], want: missing }, LOWEST);
      return { ...result, claims: [...result.claims, ...more.result.claims] };
    } catch (error) {
      // The first statement's claims are returned anyway; this claim may have been committed although its answer was
      // lost.
      return { ...result, doubt: error as Error };
    }
  }

  /**
   * Plans the claim on some connections in advance: a claim that runs while another statement does takes the next
   * connection, and planning there takes longer than claiming. No queue is named "", so nothing is claimed.
   */
  #prepare(): void {
    this.#prepared = true;
    const values = { queue: "", worker: "", want: 0, now: this.#clock.now(), ...LOWEST };
    for (let i = 0; i < PREPARED; i++)
      this.#database.reader.all(finishAndClaimStatements.claim, values).catch(() => {});
  }

  /**
   * Finishes without the queue's lock, so that it may wait for the lanes: a lane that others add to all the time would
   * never be free without waiting. If another transaction keeps a lane locked, the attempt soon ends as "deferred".
   */
  async finishLate(
    queue: string,
    worker: string,
    completion: Completion,
  ): Promise<"done" | "refused" | "deferred"> {
    const { lanes: keys } = completion;
    const values = { queue, worker, now: this.#clock.now(), keys, ...doneValues([completion]) };
    const { limitWait, waitForLanes, finishInLanes } = finishAndClaimStatements;
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

  #claimFrom(request: FinishAndClaimRequest, floor: Floor): Promise<Answer> {
    const advancing = request.done.filter(isAdvancing);
    const done = advancing.length > 0 ? request.done.filter((one) => !isAdvancing(one)) : request.done;
    const isInLanes = done.some(({ lanes }) => lanes.length > 0);
    const { queue, worker, want } = request;
    const values = { queue, worker, want, now: this.#clock.now(), ...floor, ...doneValues(done) };
    if (advancing.length > 0) {
      const common = { ...values, ...advanceValues(advancing) };
      return this.#database.retryOnConflict(() =>
        this.#inOneFlight({ ...request, done }, common, isInLanes, advancing),
      );
    }
    const isShort = !isInLanes && (!isLimited(request) || isReplacing(request));
    return this.#database.retryOnConflict(() =>
      isShort ? this.#inOneStatement(request, values) : this.#inOneFlight(request, values, isInLanes),
    );
  }

  /** Without lanes and limits a request is one statement, which is its own transaction. */
  async #inOneStatement(request: FinishAndClaimRequest, values: RequestValues): Promise<Answer> {
    const { done, want } = request;
    const statement =
      done.length === 0
        ? finishAndClaimStatements.claim
        : want === 0
          ? finishAndClaimStatements.finish
          : both(request);
    const [one] = done;
    const rows = await this.#database.reader.all<unknown>(
      statement,
      one && statement === replaceOne ? { ...values, ...oneValues(one) } : values,
    );
    if (want === 0) return answerOf(request, values, rows[0] as AcceptedRow, undefined);
    const claimed = claimedRowsOf(rows);
    return answerOf(request, values, claimed.accepted, claimed);
  }

  /**
   * Locks in their order, then finishes, then claims, each in its own statement, so that it sees what the locks waited
   * for.
   */
  async #inOneFlight(
    request: FinishAndClaimRequest,
    common: RequestValues,
    isInLanes: boolean,
    advancing: readonly Completion[] = [],
  ): Promise<Answer> {
    const values = {
      ...common,
      ...limitValues(request),
      sharesAfter: this.#sharesAfter.get(request.queue) ?? NO_SHARES_BEFORE,
      ...(isInLanes ? laneValues(request.done) : {}),
    };
    const steps: [Statement, Values][] = [];
    const then = (statement: Statement) => steps.push([statement, values]) - 1;
    const isDone = request.done.length > 0;
    if (isInLanes)
      then(
        isLimited(request)
          ? finishAndClaimStatements.lockLanesExclusive
          : finishAndClaimStatements.lockLanesShare,
      );
    else if (!isLimited(request)) then(lockShare);
    else if (!isDone) then(lockExclusive);
    const finishAt = isDone ? then(finishStep(request, isInLanes)) : -1;
    const { advance, advanceAndClaim } = advanceStatementsFor(advancing);
    const goesOn = advancing.length > 0 && request.want > 0 && isLimitedByStagesAlone(request);
    const advanceAt = advancing.length > 0 ? then(goesOn ? advanceAndClaim : advance) : -1;
    if (request.want > 0 && request.rate) then(finishAndClaimStatements.rateSetBack);
    const claimAt = goesOn ? advanceAt : request.want > 0 ? then(claimStatement(request)) : -1;
    const rateAt = request.want > 0 && request.rate ? then(finishAndClaimStatements.rateAllows) : -1;
    const results = await this.#database.flight(steps);
    const rows = results[claimAt] && claimedRowsOf(results[claimAt]);
    const claimed = rows && goesOn ? withNextStages(rows, advancing) : rows;
    if (request.sharing && rows?.further) this.#sharesAfter.set(request.queue, rows.further);
    const { result, claimMs } = answerOf(request, values, results[finishAt]?.[0] as AcceptedRow, claimed);
    const rateAllows = (results[rateAt]?.[0] as { at: number | null } | undefined)?.at ?? null;
    const advanced = goesOn ? claimed?.accepted : (results[advanceAt]?.[0] as AcceptedRow | undefined);
    result.refused.push(...refusedOf(advancing, advanced, []));
    const lookAgainAt = result.claims.length < request.want ? rateAllows : null;
    return { result: { ...result, lookAgainAt }, claimMs };
  }
}

/** Claims inside a transaction that holds the queue's lock. */
export async function claimPostgres(
  session: Session,
  request: FinishAndClaimRequest,
  now: number,
): Promise<FinishAndClaimResult> {
  const { queue, worker, want } = request;
  const values = {
    queue,
    worker,
    want,
    now,
    ...LOWEST,
    ...limitValues(request),
    sharesAfter: NO_SHARES_BEFORE,
  };
  const { rateSetBack, rateAllows } = finishAndClaimStatements;
  if (request.rate) await session.run(rateSetBack, values);
  const claimed = claimedRowsOf(await session.all(claimStatement(request), values));
  const [allowed] = request.rate ? await session.all<{ at: number | null }>(rateAllows, values) : [];
  const { result } = answerOf({ ...request, done: [] }, values, undefined, claimed);
  return { ...result, lookAgainAt: result.claims.length < want ? (allowed?.at ?? null) : null };
}

/** Limits are enforced by counting, under a lock that lets one claim run at a time. */
function isLimited(request: FinishAndClaimRequest): boolean {
  const { limit, rate, sharing, stageLimits } = request;
  return limit !== null || rate !== null || sharing !== null || (stageLimits ?? null) !== null;
}

/** Whether only the claims of each stage are counted. */
function isLimitedByStagesAlone({ limit, rate, sharing, stageLimits }: FinishAndClaimRequest): boolean {
  return (stageLimits ?? null) !== null && limit === null && rate === null && sharing === null;
}

/** A request that claims no more than it finishes cannot exceed a limit. */
function isReplacing({ rate, sharing, stageLimits, done, want }: FinishAndClaimRequest): boolean {
  return rate === null && sharing === null && !stageLimits && want > 0 && want <= done.length;
}

function both(request: FinishAndClaimRequest): Statement {
  if (!isLimited(request)) return finishAndClaimStatements.finishAndClaim;
  return request.done.length === 1 ? replaceOne : finishAndClaimStatements.finishAndReplace;
}

/** Without lanes and limits an earlier step has locked the queue; with limits this statement locks it. */
function finishStep(request: FinishAndClaimRequest, isInLanes: boolean): Statement {
  const { finish, finishInLockedLanes, finishAndLock } = finishAndClaimStatements;
  if (isInLanes) return finishInLockedLanes;
  return isLimited(request) ? finishAndLock : finish;
}

function limitValues(request: FinishAndClaimRequest) {
  return {
    limit: request.limit,
    rateMax: request.rate?.max ?? null,
    rateDuration: request.rate?.duration ?? 0,
    rateLead: request.rate?.lead ?? 0,
    shareMost: request.sharing?.most ?? null,
    stageLimits: JSON.stringify(request.stageLimits ?? {}),
  };
}

export function finishStatement(inLanes: boolean): Statement {
  return inLanes ? finishAndClaimStatements.finishInLanes : finishAndClaimStatements.finish;
}

function claimStatement(request: FinishAndClaimRequest): Statement {
  if (request.serial) return finishAndClaimStatements.claimSerial;
  if (request.sharing && request.hasStages) return finishAndClaimStatements.claimStageShares;
  if (request.sharing) return finishAndClaimStatements.claimShares;
  if (request.stageLimits) return finishAndClaimStatements.claimStages;
  return isLimited(request) ? finishAndClaimStatements.claimLimited : finishAndClaimStatements.claim;
}

function advanceStatementsFor(advancing: readonly Completion[]) {
  const { advance, advanceAndClaim, advanceFirstTime, advanceFirstTimeAndClaim } = advanceStatements;
  return advancing.every(isFirstTime)
    ? { advance: advanceFirstTime, advanceAndClaim: advanceFirstTimeAndClaim }
    : { advance, advanceAndClaim };
}

/** Each claim raises the fence by one. If the fence shows one claim per stage so far, no stage was completed twice. */
function isFirstTime({ fence, advance }: Completion): boolean {
  return fence === (advance?.number ?? 0) + 1;
}

/** The data of jobs that continue is already here; the server returns only which of them continue. */
function withNextStages(rows: ClaimedRows, advancing: readonly Completion[]): ClaimedRows {
  const { accepted, which } = rows.accepted;
  const isAll = rows.further === null && accepted === advancing.length;
  const positions = new Set(isAll ? [] : positionsOf(rows.further ?? which));
  const goingOn = isAll ? advancing : advancing.filter(({ pos }) => positions.has(pos));
  return { ...rows, claimed: sortClaims([...goingOn.map(nextClaimOf), ...rows.claimed]) };
}

function isAdvancing({ advance }: Completion): boolean {
  return advance !== undefined;
}

function answerOf(
  { queue, worker, done }: FinishAndClaimRequest,
  { now }: RequestValues,
  accepted: AcceptedRow | undefined,
  rows: ClaimedRows | undefined,
): Answer {
  const deferred = positionsOf(accepted?.busy);
  const result = {
    refused: refusedOf(done, accepted, deferred),
    deferred,
    claims: rows?.claimed.map((row) => claimOf(row, queue, worker, now)) ?? [],
    queueState: rows?.queueState ?? ("open" as const),
    lookAgainAt: null,
    doubt: null,
  };
  return { result, claimMs: rows?.claimMs ?? 0 };
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
