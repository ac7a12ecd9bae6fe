import {
  AndonError,
  type Decision,
  type Job,
  type JobState,
  type Lane,
  type Page,
  type QueueRules,
  type QueueStatus,
  type StopCertificate,
} from "@andon/contract";
import { type Applied, applyPlan } from "../operations/apply-plan.ts";
import { cancelRest } from "../operations/cancel-rest.ts";
import type { DecisionContext } from "../operations/decide-over-failed.ts";
import type { Started } from "../operations/operations.ts";
import { type RetriedAll, retryAll } from "../operations/retry-all.ts";
import { type SkippedAll, skipAllAndResume } from "../operations/skip-all-and-resume.ts";
import { skipWithRest } from "../operations/skip-with-rest.ts";
import type { FingerprintGroup, Placed, QueueOverview, Store } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { type Cancelled, cancel } from "../verbs/cancel.ts";
import { deleteJob } from "../verbs/delete-job.ts";
import { hold, release } from "../verbs/lanes.ts";
import { makePlan, type PlanWish } from "../verbs/plan.ts";
import { purge } from "../verbs/purge.ts";
import { resolve } from "../verbs/resolve.ts";
import { type Resumed, resume } from "../verbs/resume.ts";
import { type Retried, retry } from "../verbs/retry.ts";
import { runNow } from "../verbs/run-now.ts";
import { stop } from "../verbs/stop.ts";
import type { Handler } from "../worker/handler.ts";
import type { Andon } from "./andon.ts";
import { checkedKey, checkedList, checkedState, lookedUp } from "./checked-argument.ts";
import { checkedDecision, wholeDecision } from "./decision.ts";
import { drained } from "./drained.ts";
import { Gatherer } from "./gatherer.ts";
import { checkedTenantFilter, checkedWish } from "./job-filter.ts";
import { type JobOptions, newJob } from "./job-options.ts";
import { type PageOptions, pageOf } from "./paging.ts";
import { publicJob } from "./public-job.ts";
import { type Plan, shownPlan } from "./shown-plan.ts";
import { statusOf } from "./status.ts";
import { type WorkerHandle, type WorkOptions, workPlan } from "./work.ts";

/** What `add` answers: the job's id, and whether it is new or the one that already had this idempotency key. */
export type Added = Placed;

/** One queue: add jobs, work them, look at them, decide about them. */
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

  get name(): string {
    return this.#definition.name;
  }

  /** The rules it has, with what is preset where nothing was said. */
  get rules(): QueueRules {
    return this.#definition.rules;
  }

  get #isSerial(): boolean {
    return this.#definition.rules.mode === "serial";
  }

  /** Adds one job. When this resolves, the job is stored (or, with `tx`, will be when that commits). */
  async add(payload: Payload, options?: JobOptions): Promise<Added> {
    const [added] = await this.addMany([payload], options);
    return added as Added;
  }

  /**
   * Adds many jobs in one transaction, in this order. Options are the same for all, or made for each payload; then the
   * transaction to join, if any, is the third argument.
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
    const optionsOf = perJob
      ? (payload: Payload, index: number) => withoutTx(options(payload, index))
      : () => options;
    const jobs = payloads.map((payload, index) =>
      newJob(this.#definition, this.#checked(payload), optionsOf(payload, index), now),
    );
    return tx ? this.#andon.enqueueIn(tx, this.name, this.#isSerial, jobs) : this.#gatherer.add(jobs);
  }

  /**
   * Works this queue in this process until the handle, or Andon, is closed. With `isolate` the handler is the URL of a
   * module whose default export is an `IsolatedHandler`.
   */
  async work(handler: Handler<Payload> | URL, options?: WorkOptions): Promise<WorkerHandle> {
    const plan = workPlan(handler, options, this.#definition.rules);
    await this.#andon.ready(this.#definition);
    return this.#andon.work(this.#definition, handler as Handler<never> | URL, plan);
  }

  async status(): Promise<QueueStatus> {
    await this.#andon.ready(this.#definition);
    return statusOf(this.#andon.store, this.name);
  }

  /** Resolves when nothing more of this queue will run by itself: all is done, or the line stands. For scripts and tests. */
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

  /** Failed jobs grouped by what went wrong, the largest group first. */
  async fingerprints(
    filter: { tenant?: string | undefined } = {},
    page?: PageOptions,
  ): Promise<Page<FingerprintGroup>> {
    const { page: number, limit } = pageOf(page);
    return this.#andon.store.read.fingerprints(this.name, checkedTenantFilter(filter), number, limit);
  }

  /** What a person wants to know at a glance, beside the status. */
  async overview(): Promise<QueueOverview> {
    const { read, clock } = await this.#store();
    return read.overview(this.name, clock.now());
  }

  async lanes(filter: { held?: boolean } = {}, page?: PageOptions): Promise<Page<Lane>> {
    const { page: number, limit } = pageOf(page);
    return this.#andon.store.read.lanes({ queue: this.name, ...filter }, number, limit);
  }

  async stops(page?: PageOptions): Promise<Page<StopCertificate>> {
    const { page: number, limit } = pageOf(page);
    return this.#andon.store.read.stops(this.name, number, limit);
  }

  /** Stops the queue by hand: running jobs finish, nothing else starts until it is resumed. */
  async stop(decision: Decision): Promise<{ changed: boolean; stoppedAt: number; reason: string }> {
    return stop(await this.#store(), this.#definition, wholeDecision(decision));
  }

  async resume(decision: Decision): Promise<Resumed> {
    return resume(await this.#store(), this.#definition, wholeDecision(decision));
  }

  /** Queues a failed job again: fresh attempts, same place. */
  async retry(jobId: string, decision: Decision): Promise<Retried> {
    return retry(await this.#store(), this.#definition, lookedUp("jobId", jobId), checkedDecision(decision));
  }

  /** Retries every failed job. Of many in steps; this resolves when all is done. */
  async retryAll(decision: Decision): Promise<RetriedAll> {
    return (await this.startRetryAll(decision)).finished;
  }

  /** The same, and resolves at once: the handle tells how many, and by which id it can be followed. */
  async startRetryAll(decision: Decision): Promise<Started<RetriedAll>> {
    return retryAll(await this.#context(), this.#definition, wholeDecision(decision));
  }

  /** Settles a failed job by hand (its state is then `resolved`); the line goes on without it. Needs a reason. */
  async skip(jobId: string, decision: Decision, findings?: Findings): Promise<void> {
    const id = lookedUp("jobId", jobId);
    return resolve(await this.#store(), this.#definition, id, checkedDecision(decision), findings);
  }

  /** Settles every failed job by hand; the queue is resumed when the last of them is settled. Needs a reason. */
  async skipAllAndResume(decision: Decision): Promise<SkippedAll> {
    return (await this.startSkipAllAndResume(decision)).finished;
  }

  async startSkipAllAndResume(decision: Decision): Promise<Started<SkippedAll>> {
    return skipAllAndResume(await this.#context(), this.#definition, wholeDecision(decision));
  }

  /** Settles a failed job by hand and cancels what waits behind it in its own lane, which goes on when all of that is done. */
  async skipWithRest(jobId: string, decision: Decision, findings?: Findings): Promise<{ cancelled: number }> {
    return (await this.startSkipWithRest(jobId, decision, findings)).finished;
  }

  async startSkipWithRest(
    jobId: string,
    decision: Decision,
    findings?: Findings,
  ): Promise<Started<{ cancelled: number }>> {
    const id = lookedUp("jobId", jobId);
    return skipWithRest(await this.#context(), this.#definition, id, wholeDecision(decision), findings);
  }

  /** Cancels a waiting job at once, a running one through its signal. */
  async cancel(jobId: string, decision: Decision): Promise<Cancelled> {
    return cancel(await this.#store(), this.#definition, lookedUp("jobId", jobId), checkedDecision(decision));
  }

  /** Deletes an ended or failed job for good, with its attempts, key and rows of the feed. Needs a reason. */
  async deleteJob(jobId: string, decision: Decision): Promise<void> {
    return deleteJob(
      await this.#store(),
      this.#definition,
      lookedUp("jobId", jobId),
      checkedDecision(decision),
    );
  }

  async runNow(jobId: string, decision: Decision): Promise<void> {
    return runNow(await this.#store(), this.name, lookedUp("jobId", jobId), checkedDecision(decision));
  }

  /** Freezes the jobs that a bulk decision is meant for, and shows what it would do. Good for 15 minutes. */
  async plan(wish: PlanWish, decision: Decision): Promise<Plan<Payload>> {
    const store = await this.#store();
    return shownPlan(store, await makePlan(store, this.name, checkedWish(wish), checkedDecision(decision)));
  }

  /**
   * Does what a plan says to exactly its jobs, or nothing where one of them has changed since (PLAN_STALE). Of more than one
   * step holds, those that change afterwards are left out and listed.
   */
  async apply(planId: string, decision: Decision): Promise<Applied> {
    return (await this.startApply(planId, decision)).finished;
  }

  async startApply(planId: string, decision: Decision): Promise<Started<Applied>> {
    const id = lookedUp("planId", planId);
    return applyPlan(await this.#context(), this.#definition, id, checkedDecision(decision));
  }

  /** Holds a lane: nothing more of it starts until it is released. */
  async hold(key: string, decision: Decision): Promise<{ changed: boolean }> {
    return hold(await this.#store(), this.name, checkedKey(key), wholeDecision(decision));
  }

  async release(key: string, decision: Decision): Promise<{ changed: boolean }> {
    return release(await this.#store(), this.name, lookedUp("key", key), wholeDecision(decision));
  }

  async cancelRest(key: string, decision: Decision): Promise<{ cancelled: number }> {
    return (await this.startCancelRest(key, decision)).finished;
  }

  async startCancelRest(key: string, decision: Decision): Promise<Started<{ cancelled: number }>> {
    return cancelRest(await this.#context(), this.#definition, lookedUp("key", key), wholeDecision(decision));
  }

  /** Deletes ended jobs that are older than the queue's `keep`; workers do this once a minute by themselves. */
  async purge(decision?: Decision): Promise<number> {
    return purge(await this.#store(), this.#definition, decision && wholeDecision(decision));
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

/** Jobs of one call go into one transaction, so it cannot be an option of each. */
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
