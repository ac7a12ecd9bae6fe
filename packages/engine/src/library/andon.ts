import {
  AndonError,
  type Attempt,
  type AuditRow,
  checkedOptions,
  type Decision,
  decisionsSchema,
  type FeedEvent,
  type HeldDecision,
  type History,
  historySchema,
  type Job,
  type JobStage,
  type Localized,
  type Page,
  parseQueueRules,
  type QueueRulesInput,
  type QueueStatus,
  type Scope,
  type Why,
} from "@andon/contract";
import { type AuditVerdict, type VerifyOptions, verifyAudit } from "../audit/verify.ts";
import { why } from "../explain/why.ts";
import { stagesReached } from "../lifecycle/stages.ts";
import { cancelOperation } from "../operations/cancel-operation.ts";
import { startDeleteQueue } from "../operations/delete-queue-in-steps.ts";
import { Operations, type Started } from "../operations/operations.ts";
import { Outbox } from "../outbox/outbox.ts";
import { OUTBOX_QUEUE, OUTBOX_RULES } from "../outbox/rules.ts";
import { systemRandom } from "../ports/random.ts";
import type {
  AuditFilter,
  JobFilter,
  NewJob,
  OperationFilter,
  Placed,
  Store,
  StoreTx,
  Tx,
  WorkerRow,
} from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { Schedules } from "../schedules/schedules.ts";
import { type Arrived, arrive } from "../verbs/arrive.ts";
import { CALLER_LIMIT_MS } from "../verbs/complete.ts";
import { findDecision, shownDecision, undo } from "../verbs/hold-back.ts";
import { type StopVerdict, verifyStop } from "../verbs/verify-stop.ts";
import type { Handler } from "../worker/handler.ts";
import { WorkerHost } from "../worker/host.ts";
import { isolate } from "../worker/isolation/isolate.ts";
import type { AndonOptions, QueueOptions } from "./andon-options.ts";
import { checkedList, checkedText, LONGEST_KEY, lookedUp, narrowedTo, refused } from "./checked-argument.ts";
import { checkedDecision, wholeDecision } from "./decision.ts";
import type { Soon } from "./gatherer.ts";
import { checkedAuditFilter, checkedFilter } from "./job-filter.ts";
import { payloadText } from "./job-options.ts";
import { type PageOptions, pageOf } from "./paging.ts";
import { publicJob } from "./public-job.ts";
import { Queue } from "./queue.ts";
import { Reading } from "./reading.ts";
import { type Operation, shownOperation } from "./shown-operation.ts";
import { type Plan, shownPlan } from "./shown-plan.ts";
import { statusOfAll } from "./status.ts";
import { type WatchOptions, watch } from "./watch.ts";
import type { WorkerHandle, WorkPlan } from "./work.ts";

const THE_QUEUE: Localized = { en: "the queue", ko: "큐" };
const AN_ARRIVAL: Localized = { en: "the arrival", ko: "도착 알림" };
const NAME = /^[a-zA-Z0-9][\w.:-]{0,99}$/;

/**
 * The library's entry point: queues, transactions, the feed, and the workers of this process. The file is long because
 * it is a list: each method checks its arguments and delegates; only defining queues and starting workers is done here.
 */
export class Andon {
  /** The store, for code that needs its clock or its raw reads. */
  readonly store: Store;
  /** Schedules: they add jobs at their due times. */
  readonly schedules: Schedules;
  /** Reads lanes and jobs for an app that has its own tables; each method also works inside a transaction (`{ tx }`). */
  readonly reading: Reading;
  /** For the queue's handle. */
  readonly soon: Soon;
  /** For the queue's handle: decisions over many jobs that this process carries out. */
  readonly operations: Operations;
  /** For the queue's handle: how long decisions are held back, in milliseconds. */
  readonly undoWindow: number;
  readonly #outboxRules: QueueRulesInput | undefined;
  readonly #around: NonNullable<AndonOptions["around"]>;
  readonly #history: History;
  readonly #duties = new Map<string, () => Promise<void>>();
  readonly #onError: (error: unknown) => void;
  readonly #definitions = new Map<string, QueueDefinition>();
  readonly #ready = new Map<string, Promise<void>>();
  readonly #made = new Set<string>();
  #outbox: Outbox | undefined;
  #host: WorkerHost | undefined;
  readonly #starting = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(store: Store, options: AndonOptions = {}) {
    this.store = store;
    this.schedules = new Schedules(store);
    this.reading = new Reading(store);
    this.soon = options.gather === "turn" ? setImmediate : queueMicrotask;
    this.#outboxRules = options.outbox;
    this.#history = checkedOptions("`keep`", historySchema, options.keep);
    this.undoWindow = checkedOptions("`decisions`", decisionsSchema, options.decisions).undoWindow;
    this.#around = options.around ?? ((_queue, handler) => handler);
    this.#onError = options.onError ?? ((error) => console.error("andon:", error));
    this.operations = new Operations({ store, definitions: this.#definitions, onError: this.#onError });
  }

  /** Defines a queue with its rules. A name can be defined once per process. */
  queue<Payload = unknown>(
    name: string,
    rules?: QueueRulesInput,
    options: QueueOptions<Payload> = {},
  ): Queue<Payload> {
    if (name === OUTBOX_QUEUE)
      refused(THE_QUEUE, "name", name, {
        en: "another name: the outbox has this one, at `andon.outbox.queue`",
        ko: "다른 이름. 이 이름은 아웃박스의 큐이며 `andon.outbox.queue`로 쓸 수 있습니다",
      });
    return this.#define(name, rules, options);
  }

  #define<Payload>(
    name: string,
    rules: QueueRulesInput | undefined,
    options: QueueOptions<Payload>,
  ): Queue<Payload> {
    if (typeof name !== "string" || !NAME.test(name))
      refused(THE_QUEUE, "name", name, {
        en: "letters, digits, . : _ -, at most 100",
        ko: "영문자, 숫자, . : _ -, 최대 100자",
      });
    if (this.#definitions.has(name))
      refused(THE_QUEUE, "name", name, {
        en: "a name that is not defined yet",
        ko: "아직 정의되지 않은 이름",
      });
    const definition = {
      name,
      rules: parseQueueRules(name, rules),
      hooks: options.hooks ?? {},
      beforeSkip: options.beforeSkip,
      decideEach: options.decideEach,
      noun: options.noun,
      rehearse: options.rehearse,
    };
    this.#definitions.set(name, definition);
    return new Queue(this, definition, options.parse);
  }

  /** Messages that are stored in a transaction and sent after it has committed. */
  get outbox(): Outbox {
    this.#outbox ??= new Outbox(
      this.store.clock,
      this.#define(OUTBOX_QUEUE, { ...OUTBOX_RULES, ...this.#outboxRules }, {}),
    );
    return this.#outbox;
  }

  /**
   * Runs your statements and your adds in one transaction, which may take 5 s (TRANSACTION_TIMEOUT). After a deadlock or a
   * serialization failure it is rolled back and `work` runs again.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.store.transaction("caller", work, CALLER_LIMIT_MS);
  }

  /** A job by its id; undefined where there is none. */
  async job(id: string): Promise<Job | undefined> {
    const row = await this.store.read.job({ id: lookedUp("id", id) });
    return row && publicJob(row);
  }

  /** The attempts of a job that did not succeed, oldest first. */
  async attempts(id: string): Promise<Attempt[]> {
    const job = await this.store.read.job({ id: lookedUp("id", id) });
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: id });
    return this.store.read.attempts(job.pos);
  }

  /** The stages that a job has reached, in their order, with the status of each; empty for a job without stages. */
  async stages(id: string): Promise<JobStage[]> {
    const { read, clock } = this.store;
    const job = await read.job({ id: lookedUp("id", id) });
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: id });
    return job.stages.length === 0 ? [] : stagesReached(job, await read.endedStages(job.pos), clock.now());
  }

  /**
   * Reports an event from outside. Jobs that are parked for it run again and see the payload; a job that parks for it
   * later finds it. A second arrival of the same event is ignored. With `tx` the event arrives if and only if that
   * transaction commits.
   */
  async arrive(event: string, payload?: unknown, options: { tx?: unknown } = {}): Promise<Arrived> {
    if (this.#closing) throw new AndonError("CLOSED");
    const name = checkedText(AN_ARRIVAL, "event", event, LONGEST_KEY);
    return arrive(this.store, name, payloadText(payload), options.tx);
  }

  /**
   * Why a job is not running: one sentence, and the rule that decides. With a scope the answer names nothing outside of
   * the scope.
   */
  async why(id: string, scope?: Scope): Promise<Why> {
    return why(this.store, lookedUp("id", id), this.#definitions, narrowedTo(scope));
  }

  /** Undoes a decision that is held back. DECISION_SETTLED if it was applied or undone, or has lapsed. */
  async undo(id: string, decision: Decision): Promise<HeldDecision> {
    return undo(this.store, lookedUp("id", id), checkedDecision(decision));
  }

  /** A decision that is or was held back; undefined where there is none. */
  async decision(id: string, scope?: Scope): Promise<HeldDecision | undefined> {
    return findDecision(this.store, lookedUp("id", id), narrowedTo(scope));
  }

  /** The held-back decision about a job; undefined where there is none. */
  async pendingDecision(jobId: string): Promise<HeldDecision | undefined> {
    const row = await this.store.read.pendingDecision(lookedUp("jobId", jobId));
    return row && shownDecision(row);
  }

  /** The held-back decisions about these jobs, by the job's id. */
  async pendingDecisions(jobIds: readonly string[]): Promise<ReadonlyMap<string, HeldDecision>> {
    for (const id of checkedList("jobIds", jobIds)) lookedUp("jobIds", id);
    const rows = jobIds.length === 0 ? [] : await this.store.read.pendingDecisions(jobIds);
    return new Map(rows.map((row) => [row.jobId, shownDecision(row)]));
  }

  /** The status of every queue. */
  async queues(): Promise<QueueStatus[]> {
    return statusOfAll(this.store);
  }

  /** The living worker processes, with the queues that they work. */
  workers(): Promise<WorkerRow[]> {
    return this.store.read.workers();
  }

  /** Jobs by filter, newest first. `more` in the answer: the search stopped early, and more jobs may match. */
  async search(filter?: JobFilter, page?: PageOptions): Promise<Page<Job>> {
    const { page: number, limit } = pageOf(page);
    const found = await this.store.read.searchJobs(checkedFilter(filter), number, limit);
    return { ...found, items: found.items.map(publicJob) };
  }

  /** A plan by its id, of any queue; with a scope, only a plan within it. */
  async plan(id: string, scope?: Scope): Promise<Plan | undefined> {
    const row = await this.store.read.plan(lookedUp("id", id), narrowedTo(scope));
    return row && shownPlan(this.store, row);
  }

  /** The progress of a decision over many jobs; with a scope, only of one within it. */
  async operation(id: string, scope?: Scope): Promise<Operation | undefined> {
    const row = await this.store.read.operation(lookedUp("id", id), narrowedTo(scope));
    return row && shownOperation(row);
  }

  /**
   * Ends a decision over many jobs between two of its steps. What is done stays done; the promise of its end rejects with
   * OPERATION_CANCELLED.
   */
  async cancelOperation(id: string, decision: Decision): Promise<Operation> {
    return shownOperation(await cancelOperation(this.store, lookedUp("id", id), checkedDecision(decision)));
  }

  /** Decisions over many jobs, newest first. */
  async findOperations(filter: OperationFilter = {}, page?: PageOptions): Promise<Page<Operation>> {
    const { page: number, limit } = pageOf(page);
    const found = await this.store.read.operations(filter, number, limit);
    return { ...found, items: found.items.map(shownOperation) };
  }

  /** Rows of the audit log, newest first. */
  async audit(filter?: AuditFilter, page?: PageOptions): Promise<Page<AuditRow>> {
    const { page: number, limit } = pageOf(page);
    return this.store.read.audit(checkedAuditFilter(filter), number, limit);
  }

  /** Checks the hash chain of the audit log: whether a row was changed, removed or inserted. */
  verifyAudit(options?: VerifyOptions): Promise<AuditVerdict> {
    return verifyAudit(this.store, options);
  }

  /** Checks the certificate of a stop against the event feed and the claim log. */
  async verifyStop(id: string): Promise<StopVerdict> {
    return verifyStop(this.store, lookedUp("id", id), this.#history.events);
  }

  /** The event feed, in the order of commits. It ends when its `signal` is aborted or the store is closed. */
  watch(options?: WatchOptions): AsyncGenerator<FeedEvent, void> {
    return watch(this.store, options);
  }

  /**
   * Deletes a queue with all its jobs, lanes, schedules and history, in bounded steps; the audit log stays. The queue
   * must be stopped, with no running job and no worker (QUEUE_IN_USE). Needs a reason. Returns the number of deleted
   * jobs.
   */
  async deleteQueue(name: string, decision: Decision): Promise<number> {
    return (await this.startDeleteQueue(name, decision)).finished;
  }

  /** Like `deleteQueue`, but resolves at once with the operation's id, its total, and a promise of its end (`finished`). */
  async startDeleteQueue(name: string, decision: Decision): Promise<Started<number>> {
    const known = lookedUp("name", name);
    if (!(await this.store.read.queue(known))) throw new AndonError("QUEUE_NOT_FOUND", { queue: known });
    this.#made.delete(known);
    this.#ready.delete(known);
    const how = { isDefined: this.#definitions.has(known) };
    return startDeleteQueue(this, known, how, wholeDecision(decision));
  }

  /**
   * Registers periodic maintenance of this database. One process of the fleet runs it, at most once a minute; it must be
   * safe if two run it at once.
   */
  addDuty(name: string, run: () => Promise<void>): void {
    this.#duties.set(name, run);
  }

  /** Stops the workers of this process gracefully and closes the store. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // A start under way would set its timers after the host is closed, and nothing would ever stop them.
    await Promise.allSettled(this.#starting);
    await this.operations.close();
    await this.#host?.close();
    await this.store.close();
  }

  /** For the queue's handle: makes sure that the queue's row exists before anything else uses it. */
  async ready(definition: QueueDefinition, tx?: StoreTx): Promise<void> {
    if (this.#closing) throw new AndonError("CLOSED");
    if (this.#made.has(definition.name)) return;
    // Inside a caller's transaction the row is inserted there. It is not remembered, since a rollback removes it; and
    // an insert outside is not awaited, since it may wait for this very transaction.
    if (tx) return tx.ensureQueue(definition.name);
    let ready = this.#ready.get(definition.name);
    if (!ready) {
      ready = this.store.ensureQueue(definition.name);
      this.#ready.set(definition.name, ready);
      ready.catch(() => this.#ready.delete(definition.name));
    }
    await ready;
    this.#made.add(definition.name);
  }

  /** For the queue's handle: adds inside a transaction, whose commit signals the workers. */
  async enqueueIn(tx: StoreTx, queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]> {
    const placed = await tx.enqueue(queue, serial, jobs);
    await tx.signalOnCommit({ kind: "work", queue });
    if (jobs.some((job) => job.runAt !== null)) await tx.signalOnCommit({ kind: "timer" });
    return placed;
  }

  /** For the queue's handle. */
  async work(
    definition: QueueDefinition,
    handler: Handler<never> | URL,
    plan: WorkPlan,
  ): Promise<WorkerHandle> {
    if (this.#closing) throw new AndonError("CLOSED");
    const start = this.#start(definition, handler, plan);
    this.#starting.add(start);
    try {
      return await start;
    } finally {
      this.#starting.delete(start);
    }
  }

  async #start(
    definition: QueueDefinition,
    handler: Handler<never> | URL,
    { places, grace, isolation }: WorkPlan,
  ): Promise<WorkerHandle> {
    this.#host ??= new WorkerHost({
      store: this.store,
      random: systemRandom,
      definitions: this.#definitions,
      operations: this.operations,
      history: this.#history,
      duties: this.#duties,
      onError: this.#onError,
    });
    const host = this.#host;
    const { clock } = this.store;
    const { settleGrace } = definition.rules;
    const isolated = isolation && isolate({ ...isolation, clock, settleGrace, onError: this.#onError });
    const worked = isolated?.handler ?? (handler as Handler<never>);
    const loop = await host.work(definition, this.#around(definition.name, worked), {
      places,
      grace,
      onDrained: isolated?.close,
    });
    return { close: () => host.leave(loop) };
  }
}
