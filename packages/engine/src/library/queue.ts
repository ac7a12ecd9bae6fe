import {
  AndonError,
  type BulkState,
  checkedOptions,
  type Decision,
  type HeldDecision,
  type Job,
  type JobState,
  type Lane,
  type Page,
  type QueueHistory,
  type QueueRules,
  type QueueStatus,
  type RampWish,
  type Rehearsal,
  type RehearsalOptions,
  type Scope,
  type StopCertificate,
  type Throttle,
} from "@andon/contract";
import { storedThrottle, type ThrottleInput, throttleSchema } from "../bulk/bulk.ts";
import { bulkStateOf } from "../bulk/bulk-state.ts";
import { causesOf, type FailureCause } from "../explain/causes.ts";
import { type HistoryQuestion, historyOf } from "../history/history-of.ts";
import { DEFAULT_TENANT, laneId } from "../lanes/lane-id.ts";
import { type Applied, applyPlan } from "../operations/apply-plan.ts";
import { cancelRest } from "../operations/cancel-rest.ts";
import type { DecisionContext } from "../operations/decide-over-failed.ts";
import type { Started } from "../operations/operations.ts";
import { startPurge } from "../operations/purge-in-steps.ts";
import { type RetriedAll, retryAll } from "../operations/retry-all.ts";
import { type SkippedAll, skipAllAndResume } from "../operations/skip-all-and-resume.ts";
import { type SkippedWithRest, skipWithRest } from "../operations/skip-with-rest.ts";
import type { CancelTime, Placed, QueueOverview, Store } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { rehearse } from "../rehearsal/rehearse.ts";
import { type Aborted, type AbortOptions, type AuditNoun, abort } from "../verbs/abort.ts";
import { type Cancelled, type CancelOptions, cancel } from "../verbs/cancel.ts";
import { type DeleteOptions, deleteJob } from "../verbs/delete-job.ts";
import { type HeldWish, holdBack } from "../verbs/hold-back.ts";
import { hold, release } from "../verbs/lanes.ts";
import { makePlan, type PlanWish } from "../verbs/plan.ts";
import { purge } from "../verbs/purge.ts";
import { type Resumed, resume } from "../verbs/resume.ts";
import { type ResumedJob, resumeJob } from "../verbs/resume-job.ts";
import { type Retried, retry } from "../verbs/retry.ts";
import { runNow } from "../verbs/run-now.ts";
import { type SkipOptions, skip } from "../verbs/skip.ts";
import { stop } from "../verbs/stop.ts";
import { type ThrottleOptions, throttleJob } from "../verbs/throttle-job.ts";
import type { Handler, StageHandlers } from "../worker/handler.ts";
import type { Andon } from "./andon.ts";
import {
  checkedKey,
  checkedList,
  checkedNoun,
  checkedState,
  checkedTime,
  lookedUp,
  narrowedTo,
} from "./checked-argument.ts";
import { checkedHistory } from "./checked-history.ts";
import { checkedWaves } from "./checked-ramp.ts";
import { checkedRehearsal } from "./checked-rehearsal.ts";
import { checkedDecision, decidedLane, type LaneOptions, wholeDecision } from "./decision.ts";
import { drained } from "./drained.ts";
import { Gatherer } from "./gatherer.ts";
import { checkedScopeFilter, checkedWish } from "./job-filter.ts";
import { type JobOptions, newJob, newJobs } from "./job-options.ts";
import { type PageOptions, pageOf } from "./paging.ts";
import { publicJob } from "./public-job.ts";
import { type Plan, shownPlan } from "./shown-plan.ts";
import { statusOf } from "./status.ts";
import { type WorkerHandle, type WorkOptions, workPlan } from "./work.ts";

/** The result of `add`: the job's id, and whether it is new or already had this idempotency key. */
export type Added = Placed;

/**
 * One queue: adds, works and reads its jobs, and decides about them. The file is long because it is the list of
 * everything a queue can do: each method checks its arguments and delegates to a verb or an operation.
 */
export class Queue<Payload = unknown> {
  readonly #andon: Andon;
  readonly #definition: QueueDefinition;
  readonly #gatherer: Gatherer;
  readonly #parse: ((value: unknown) => Payload) | undefined;

  constructor(andon: Andon, definition: QueueDefinition, parse: ((value: unknown) => Payload) | undefined) {
    this.#andon = andon;
    this.#definition = definition;
    this.#parse = parse;
    this.#gatherer = new Gatherer(andon.store, definition.name, this.#isSerial, andon.soon);
  }

  /** The name of the queue. */
  get name(): string {
    return this.#definition.name;
  }

  /** The rules of the queue, with the defaults filled in. */
  get rules(): QueueRules {
    return this.#definition.rules;
  }

  get #isSerial(): boolean {
    return this.#definition.rules.mode === "serial";
  }

  /** Adds one job. When this resolves, the job is stored; with `tx` it is stored when that transaction commits. */
  async add(payload: Payload, options?: JobOptions): Promise<Added> {
    const [added] = await this.addMany([payload], options);
    return added as Added;
  }

  /**
   * Adds many jobs in one transaction, in this order. Options are the same for all jobs, or a function returns them
   * for each job; with a function, `tx` goes into the third argument.
   */
  async addMany(
    payloads: readonly Payload[],
    options?: JobOptions | ((payload: Payload, index: number) => JobOptions),
    within?: { tx: unknown },
  ): Promise<Added[]> {
    checkedList("payloads", payloads);
    const perJob = typeof options === "function";
    const given = perJob ? within?.tx : (within?.tx ?? options?.tx);
    const tx = given === undefined ? undefined : await this.#andon.store.join(given);
    await this.#andon.ready(this.#definition, tx);
    if (payloads.length === 0) return [];
    const now = this.#andon.store.clock.now();
    const checked = payloads.map((payload) => this.#checked(payload));
    const jobs = perJob
      ? payloads.map((payload, index) =>
          newJob(this.#definition, checked[index], withoutTx(options(payload, index)), now),
        )
      : newJobs(this.#definition, checked, options, now);
    return tx ? this.#andon.enqueueIn(tx, this.name, this.#isSerial, jobs) : this.#gatherer.add(jobs);
  }

  /**
   * Works this queue in this process until the handle or Andon is closed. With `isolate` the handler is the URL of a
   * module whose default export is an `IsolatedHandler`. A queue with stages takes one handler per stage, or one handler
   * that reads `job.stage`.
   */
  async work(
    handler: Handler<Payload> | StageHandlers<Payload> | URL,
    options?: WorkOptions,
  ): Promise<WorkerHandle> {
    const plan = workPlan(this.name, handler, options, this.#definition.rules);
    await this.#andon.ready(this.#definition);
    return this.#andon.work(this.#definition, plan.staged ?? (handler as Handler<never> | URL), plan);
  }

  /** State and counts of the queue. */
  async status(): Promise<QueueStatus> {
    await this.#andon.ready(this.#definition);
    return statusOf(this.#andon.store, this.name);
  }

  /**
   * Resolves when no job of this queue is ready, scheduled or running, or when the queue is stopped and no job runs. Jobs in
   * held lanes and parked jobs may be left. For scripts and tests.
   */
  async drained(options: { signal?: AbortSignal } = {}): Promise<QueueStatus> {
    return drained(await this.#store(), this.name, options.signal);
  }

  /** Jobs in one state: waiting ones in the order they will run, ended ones newest first. */
  async jobs(state: JobState, page?: PageOptions): Promise<Page<Job<Payload>>> {
    const { page: number, limit } = pageOf(page);
    const { items, ...rest } = await this.#andon.store.read.jobs(
      this.name,
      checkedState(state),
      number,
      limit,
    );
    return { ...rest, items: items.map(publicJob) as Job<Payload>[] };
  }

  /** Failed jobs grouped by cause, the largest group first, with earlier decisions about this cause and whether they helped. */
  async fingerprints(
    filter: { tenant?: string | undefined; organization?: string | undefined } = {},
    page?: PageOptions,
  ): Promise<Page<FailureCause>> {
    const { page: number, limit } = pageOf(page);
    return causesOf(this.#andon.store.read, this.#definition, checkedScopeFilter(filter), number, limit);
  }

  /** Figures beside the status: held lanes, when the next waiting job was added, and jobs done per minute. */
  async overview(): Promise<QueueOverview> {
    const { read, clock } = await this.#store();
    return read.overview(this.name, clock.now());
  }

  /** Counts and times by the minute or the hour, including the current one. Default: the last 60 minutes. At most 11,000 steps. */
  async history(question: HistoryQuestion = {}): Promise<QueueHistory> {
    return historyOf(await this.#store(), this.name, checkedHistory(question));
  }

  /** Lanes of one tenant, by default of `default`; with `tenant: null` of all tenants. With `held` only held ones, longest held first. */
  async lanes(
    filter: { held?: boolean; tenant?: string | null | undefined } = {},
    page?: PageOptions,
  ): Promise<Page<Lane>> {
    const { page: number, limit } = pageOf(page);
    const { held = false, tenant = DEFAULT_TENANT } = filter;
    const whose = tenant === null ? {} : { tenant: lookedUp("tenant", tenant) };
    return this.#andon.store.read.lanes({ queue: this.name, held, ...whose }, number, limit);
  }

  /** One lane; undefined where no stored job has this key. */
  async lane(key: string, { tenant = DEFAULT_TENANT }: LaneOptions = {}): Promise<Lane | undefined> {
    const id = laneId(lookedUp("tenant", tenant), lookedUp("key", key));
    return this.#andon.store.read.lane(this.name, id);
  }

  /** Certificates of the stops of this queue, newest first. */
  async stops(page?: PageOptions): Promise<Page<StopCertificate>> {
    const { page: number, limit } = pageOf(page);
    return this.#andon.store.read.stops(this.name, number, limit);
  }

  /** Stops the queue by hand: running jobs finish, nothing else starts until it is resumed. */
  async stop(decision: Decision): Promise<{ changed: boolean; stoppedAt: number; reason: string }> {
    return stop(await this.#store(), this.#definition, wholeDecision(decision));
  }

  /**
   * Resumes a stopped queue. Where the queue requires it, failed jobs must be retried or skipped first
   * (RESUME_UNRESOLVED). With `ramp` it resumes in waves, by default of 1, 10 and 100 jobs: a wave starts when every job
   * of the one before has ended, and the first failed attempt stops the queue again (RAMP_FAILED).
   */
  async resume(decision: Decision, { ramp }: { ramp?: RampWish | undefined } = {}): Promise<Resumed> {
    const waves = checkedWaves(ramp);
    return resume(await this.#store(), this.#definition, wholeDecision(decision), waves);
  }

  /**
   * What a resume would meet: whether the destination answers, the next jobs in their order with the checks of each, and how
   * long all waiting jobs may take. Changes nothing.
   */
  async rehearse(options: RehearsalOptions = {}): Promise<Rehearsal> {
    const asked = checkedRehearsal(options);
    const questions = this.#definition.rehearse;
    const queue = { name: this.name, isSerial: this.#isSerial, questions };
    return rehearse(await this.#store(), queue, asked);
  }

  /** Queues a failed job again, at its old place, with fresh attempts. */
  async retry(jobId: string, decision: Decision): Promise<Retried> {
    const id = lookedUp("jobId", jobId);
    return retry(await this.#store(), this.#definition, id, checkedDecision(decision));
  }

  /** Retries every failed job, in bounded steps. Resolves when all are done. */
  async retryAll(decision: Decision): Promise<RetriedAll> {
    return (await this.startRetryAll(decision)).finished;
  }

  /** Like `retryAll`, but resolves at once with the operation's id, its total, and a promise of its end (`finished`). */
  async startRetryAll(decision: Decision): Promise<Started<RetriedAll>> {
    return retryAll(await this.#context(), this.#definition, wholeDecision(decision));
  }

  /**
   * Skips a failed job; its state becomes `resolved`, and the queue no longer waits for it. Needs a reason. With an undo
   * window the decision is held back, and returned.
   */
  async skip(
    jobId: string,
    decision: Decision,
    findings?: Findings,
    options?: SkipOptions,
  ): Promise<HeldDecision | undefined> {
    const id = lookedUp("jobId", jobId);
    const { action: audited, needsReason = true } = options ?? {};
    const held = await this.#heldBack(id, { action: "skip", audited, needsReason }, decision);
    if (!held)
      await skip(await this.#store(), this.#definition, id, checkedDecision(decision), findings, options);
    return held;
  }

  /** Skips every failed job and then resumes the queue. Needs a reason. */
  async skipAllAndResume(decision: Decision): Promise<SkippedAll> {
    return (await this.startSkipAllAndResume(decision)).finished;
  }

  /** Like `skipAllAndResume`, but resolves at once with the operation's id, its total, and a promise of its end (`finished`). */
  async startSkipAllAndResume(decision: Decision): Promise<Started<SkippedAll>> {
    return skipAllAndResume(await this.#context(), this.#definition, wholeDecision(decision));
  }

  /**
   * Skips a failed job and cancels the jobs that wait behind it in its own lane. The lane opens when all of them are
   * cancelled. With an undo window the decision is held back, and returned; `cancelled` is then 0.
   */
  async skipWithRest(jobId: string, decision: Decision, findings?: Findings): Promise<SkippedWithRest> {
    return (await this.startSkipWithRest(jobId, decision, findings)).finished;
  }

  /** Like `skipWithRest`, but resolves at once with the operation's id, its total, and a promise of its end (`finished`). */
  async startSkipWithRest(
    jobId: string,
    decision: Decision,
    findings?: Findings,
  ): Promise<Started<SkippedWithRest>> {
    const id = lookedUp("jobId", jobId);
    const held = await this.#heldBack(id, { action: "skip-with-rest" }, wholeDecision(decision));
    if (held) return { id: null, total: 0, finished: Promise.resolve({ cancelled: 0, decision: held }) };
    return skipWithRest(await this.#context(), this.#definition, id, wholeDecision(decision), findings);
  }

  /**
   * Cancels a job: a waiting one at once, a running one through its signal or, with `at: "boundary"`, when its stage is
   * completed. Completed stages that can be rolled back are rolled back first, in reverse order. An accepted cancel
   * always ends in `cancelled`.
   */
  async cancel(jobId: string, decision: Decision, options: CancelOptions = {}): Promise<Cancelled> {
    const id = lookedUp("jobId", jobId);
    const how = { at: checkedCancelTime(options) };
    const held = await this.#heldBack(id, { action: "cancel", ...how }, decision);
    if (held) return { outcome: "pending", decision: held };
    return cancel(await this.#store(), this.#definition, id, checkedDecision(decision), how);
  }

  /**
   * Holds back a decision that your app carries out itself: its `decideEach` is called when the decision is due. Undefined
   * where there is no undo window, or the decision is `atOnce`: then carry it out now.
   */
  async holdBack(
    jobId: string,
    action: "skip" | "cancel",
    decision: Decision,
  ): Promise<HeldDecision | undefined> {
    return this.#heldBack(lookedUp("jobId", jobId), { action, isApps: true }, decision);
  }

  async #heldBack(id: string, wish: HeldWish, decision: Decision): Promise<HeldDecision | undefined> {
    const { undoWindow } = this.#andon;
    const who = checkedDecision(decision);
    if (undoWindow === 0 || who.atOnce) return undefined;
    return holdBack(await this.#store(), this.#definition, id, wish, who, undoWindow);
  }

  /**
   * Stops a job so that it can be resumed later: a waiting one at once, a running bulk job at its next chunk boundary,
   * any other running job through its signal. The job leaves its lanes and keeps its cursor. JOB_STATE if it has already
   * ended.
   */
  async abort(jobId: string, decision: Decision, options: AbortOptions = {}): Promise<Aborted> {
    const id = lookedUp("jobId", jobId);
    const given = { ...checkedNoun(options), requestedAt: checkedTime("requestedAt", options.requestedAt) };
    return abort(await this.#store(), this.#definition, id, checkedDecision(decision), given);
  }

  /** Resumes an aborted or failed job from its cursor, with fresh attempts, at the end of its lanes. */
  async resumeJob(jobId: string, decision: Decision, options?: AuditNoun): Promise<ResumedJob> {
    const id = lookedUp("jobId", jobId);
    return resumeJob(
      await this.#store(),
      this.#definition,
      id,
      checkedDecision(decision),
      checkedNoun(options),
    );
  }

  /** Changes the throttle of a bulk job, also while it runs. Members that are not given stay as they are. */
  async throttle(
    jobId: string,
    throttle: ThrottleInput,
    decision: Decision,
    options: ThrottleOptions = {},
  ): Promise<Throttle> {
    const id = lookedUp("jobId", jobId);
    const given = storedThrottle(checkedOptions("the throttle", throttleSchema, throttle), null);
    const who = checkedDecision(decision);
    const { preset } = options;
    return throttleJob(await this.#store(), this.name, id, given, who, { ...checkedNoun(options), preset });
  }

  /**
   * Progress and throttle of a bulk job, and the receipt of its abort; undefined where there is no such job. With a
   * scope, only a job within it is found.
   */
  async bulkState(jobId: string, scope?: Scope): Promise<BulkState | undefined> {
    return (await this.bulkStates([jobId], scope))[0];
  }

  /** Like `bulkState`, for many jobs in the order in which they were added; unknown jobs are left out. */
  async bulkStates(jobIds: readonly string[], scope?: Scope): Promise<BulkState[]> {
    const ids = checkedList("jobIds", jobIds).map((id) => lookedUp("jobIds", id));
    const { read } = await this.#store();
    const jobs = (await read.jobsById(ids, narrowedTo(scope))).filter((job) => job.queue === this.name);
    const bulks = await read.bulks(jobs.map((job) => job.pos));
    return jobs.map((job) => bulkStateOf(job, bulks.get(job.pos)));
  }

  /**
   * Deletes an ended or failed job for good, with its attempts, its idempotency key and its events. Needs a reason,
   * unless the options waive it.
   */
  async deleteJob(jobId: string, decision: Decision, options: DeleteOptions = {}): Promise<void> {
    const id = lookedUp("jobId", jobId);
    const { noun, ...rest } = options;
    const how = { ...rest, ...checkedNoun({ noun }) };
    return deleteJob(await this.#store(), this.#definition, id, checkedDecision(decision), how);
  }

  /** Makes a scheduled job due now, also one that waits for its next attempt. */
  async runNow(jobId: string, decision: Decision): Promise<void> {
    return runNow(await this.#store(), this.name, lookedUp("jobId", jobId), checkedDecision(decision));
  }

  /** Freezes the list of jobs that a decision would change, and shows its effect. A plan is valid for 15 minutes. */
  async plan(wish: PlanWish, decision: Decision): Promise<Plan<Payload>> {
    const store = await this.#store();
    return shownPlan(store, await makePlan(store, this.name, checkedWish(wish), checkedDecision(decision)));
  }

  /**
   * Applies a plan to exactly its jobs, or to none if one of them has changed since (PLAN_STALE). A plan that takes
   * several steps leaves out jobs that change while it runs, and lists them.
   */
  async apply(planId: string, decision: Decision): Promise<Applied> {
    return (await this.startApply(planId, decision)).finished;
  }

  /** Like `apply`, but resolves at once with the operation's id, its total, and a promise of its end (`finished`). */
  async startApply(planId: string, decision: Decision): Promise<Started<Applied>> {
    const id = lookedUp("planId", planId);
    return applyPlan(await this.#context(), this.#definition, id, checkedDecision(decision));
  }

  /** Holds a lane: no job of it starts until it is released. */
  async hold(key: string, decision: Decision, options?: LaneOptions): Promise<{ changed: boolean }> {
    const lane = decidedLane(checkedKey(key), decision, options);
    return hold(await this.#store(), this.name, lane, decision);
  }

  /** Releases a lane that was held by hand. A lane that a failed job holds opens when that job is retried or skipped. */
  async release(key: string, decision: Decision, options?: LaneOptions): Promise<{ changed: boolean }> {
    const lane = decidedLane(lookedUp("key", key), decision, options);
    return release(await this.#store(), this.name, lane, decision);
  }

  /** Cancels the jobs that wait in a lane. */
  async cancelRest(key: string, decision: Decision, options?: LaneOptions): Promise<{ cancelled: number }> {
    return (await this.startCancelRest(key, decision, options)).finished;
  }

  /** Like `cancelRest`, but resolves at once with the operation's id, its total, and a promise of its end (`finished`). */
  async startCancelRest(
    key: string,
    decision: Decision,
    options?: LaneOptions,
  ): Promise<Started<{ cancelled: number }>> {
    const lane = decidedLane(lookedUp("key", key), decision, options);
    return cancelRest(await this.#context(), this.#definition, lane, decision);
  }

  /**
   * Deletes ended jobs that are older than the queue's `keep`; failed and aborted ones stay. Returns their number. Workers do
   * this by themselves once a minute.
   */
  async purge(decision?: Decision): Promise<number> {
    if (decision) return (await this.startPurge(decision)).finished;
    return purge(await this.#store(), this.#definition);
  }

  /**
   * Like `purge`, as a decision with an audit row; resolves at once with the operation's id, its total, and a promise of its
   * end (`finished`).
   */
  async startPurge(decision: Decision): Promise<Started<number>> {
    return startPurge(await this.#context(), this.#definition, wholeDecision(decision));
  }

  /** The store, once it has this queue's row. */
  async #store(): Promise<Store> {
    await this.#andon.ready(this.#definition);
    return this.#andon.store;
  }

  async #context(): Promise<DecisionContext> {
    return { store: await this.#store(), operations: this.#andon.operations };
  }

  #checked(payload: Payload): Payload {
    if (!this.#parse) return payload;
    try {
      return this.#parse(payload);
    } catch (cause) {
      throw new AndonError("PAYLOAD_INVALID", { problem: (cause as Error).message }, { cause });
    }
  }
}

function checkedCancelTime({ at = "now" }: { at?: CancelTime | undefined }): CancelTime {
  if (at === "now" || at === "boundary") return at;
  throw new AndonError("INVALID_OPTION", {
    where: "the options of cancel",
    option: "at",
    given: JSON.stringify(at) ?? "missing",
    allowed: '"now", "boundary"',
  });
}

/** The jobs of one call share one transaction, so `tx` cannot be an option of each job. */
function withoutTx(options: JobOptions): JobOptions {
  if (options?.tx === undefined) return options;
  const allowed = "as the third argument of addMany: { tx }";
  throw new AndonError("INVALID_OPTION", {
    where: "the job's options",
    option: "tx",
    given: "a transaction",
    allowed,
  });
}
