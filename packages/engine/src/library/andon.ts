import {
  AndonError,
  type Attempt,
  type AuditRow,
  checkedOptions,
  type Decision,
  type FeedEvent,
  type History,
  type HistoryInput,
  historySchema,
  type Job,
  type Language,
  type Localised,
  type Page,
  parseQueueRules,
  type QueueRulesInput,
  type QueueStatus,
  type Why,
} from "@andon/contract";
import { type AuditVerdict, verifyAudit } from "../audit/verify.ts";
import { why } from "../explain/why.ts";
import { Operations } from "../operations/operations.ts";
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
import type { QueueDefinition, QueueHooks } from "../queue-definition.ts";
import { Schedules } from "../schedules/schedules.ts";
import { CALLER_LIMIT_MS } from "../verbs/complete.ts";
import { deleteQueue } from "../verbs/delete-queue.ts";
import { type StopVerdict, verifyStop } from "../verbs/verify-stop.ts";
import type { Handler } from "../worker/handler.ts";
import { WorkerHost } from "../worker/host.ts";
import { isolate } from "../worker/isolation/isolate.ts";
import { lookedUp, narrowedTo, refused } from "./checked-argument.ts";
import { wholeDecision } from "./decision.ts";
import type { Soon } from "./gatherer.ts";
import { checkedAuditFilter, checkedFilter } from "./job-filter.ts";
import { type PageOptions, pageOf } from "./paging.ts";
import { publicJob } from "./public-job.ts";
import { Queue } from "./queue.ts";
import { type Operation, shownOperation } from "./shown-operation.ts";
import { type Plan, shownPlan } from "./shown-plan.ts";
import { statusOfAll } from "./status.ts";
import { type WatchOptions, watch } from "./watch.ts";
import type { WorkerHandle, WorkPlan } from "./work.ts";

export interface QueueOptions<Payload> {
  /** Checks a payload before it is stored, and may change it; what it throws refuses the add. Default: anything that is JSON. */
  parse?: ((value: unknown) => Payload) | undefined;
  /** Writes that join the transaction of a job's failure or of an operator's decision. Default: none. */
  hooks?: QueueHooks | undefined;
  /**
   * Looks at the outside world before failed jobs are settled by hand in bulk; its answer is what the hook `resolved` gets
   * as third argument. It runs outside of any transaction. Default: nobody looks.
   */
  beforeSkip?: ((job: Job) => Promise<unknown>) | undefined;
}

export interface AndonOptions {
  /** Told about errors that no caller sees (a store that was away, a beat that failed). Default: console.error. */
  onError?: ((error: unknown) => void) | undefined;
  /** Rules of the outbox, over its own. Default: 12 attempts, up to 15 minutes apart. */
  outbox?: QueueRulesInput | undefined;
  /** Put around every handler that works here, isolated ones and deliverers too: for traces and logs. Default: nothing. */
  around?: ((queue: string, handler: Handler<never>) => Handler<never>) | undefined;
  /**
   * When adds that come one by one go out: `at-once`, or after the rest of this turn of the event loop (`turn`), so that
   * those of many callers, such as requests of a server, share a commit. Default: `at-once`.
   */
  gather?: "at-once" | "turn" | undefined;
  /** How long history is kept: `events` 7 days, `attempts` 30 days, `stops` a year. Older rows are deleted. */
  keep?: HistoryInput | undefined;
  /** In which language the failures are stored that are Andon's own (a job that took too long, or was lost too often). Default: `en`. */
  language?: Language | undefined;
}

const THE_QUEUE: Localised = { en: "the queue", ko: "큐" };
const NAME = /^[a-zA-Z0-9][\w.:-]{0,99}$/;

/** The library's door: queues, transactions, the feed, and the workers of this process. */
export class Andon {
  readonly store: Store;
  readonly schedules: Schedules;
  /** For the queue's handle. */
  readonly soon: Soon;
  /** For the queue's handle: decisions over many jobs that this process carries out. */
  readonly operations: Operations;
  readonly #outboxRules: QueueRulesInput | undefined;
  readonly #around: NonNullable<AndonOptions["around"]>;
  readonly #history: History;
  readonly #duties = new Map<string, () => Promise<void>>();
  readonly #onError: (error: unknown) => void;
  readonly #language: Language | undefined;
  readonly #definitions = new Map<string, QueueDefinition>();
  readonly #ready = new Map<string, Promise<void>>();
  readonly #made = new Set<string>();
  #outbox: Outbox | undefined;
  #host: WorkerHost | undefined;
  readonly #starting = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(store: Store, options: AndonOptions = {}) {
    this.store = store;
    this.#language = options.language;
    this.schedules = new Schedules(store);
    this.soon = options.gather === "turn" ? setImmediate : queueMicrotask;
    this.#outboxRules = options.outbox;
    this.#history = checkedOptions("`keep`", historySchema, options.keep);
    this.#around = options.around ?? ((_queue, handler) => handler);
    this.#onError = options.onError ?? ((error) => console.error("andon:", error));
    this.operations = new Operations({ store, definitions: this.#definitions, onError: this.#onError });
  }

  /** Defines a queue with its rules, once per name. */
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
      language: this.#language,
    };
    this.#definitions.set(name, definition);
    return new Queue(this, definition, options.parse);
  }

  /** What transactions want sent. Its queue is made with the first look at it. */
  get outbox(): Outbox {
    this.#outbox ??= new Outbox(
      this.store.clock,
      this.#define(OUTBOX_QUEUE, { ...OUTBOX_RULES, ...this.#outboxRules }, {}),
    );
    return this.#outbox;
  }

  /** Runs your statements and adds in one transaction. It may run again where two transactions waited for each other. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.store.transaction("caller", work, CALLER_LIMIT_MS);
  }

  async job(id: string): Promise<Job | undefined> {
    const row = await this.store.read.job({ id: lookedUp("id", id) });
    return row && publicJob(row);
  }

  /** Every try of a job that did not end in success, oldest first. */
  async attempts(id: string): Promise<Attempt[]> {
    const job = await this.store.read.job({ id: lookedUp("id", id) });
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: id });
    return this.store.read.attempts(job.pos);
  }

  /** Why a job is not running, in one sentence with the rule that decides; with a tenant, as that tenant may hear it. */
  async why(id: string, tenant?: string): Promise<Why> {
    return why(this.store, lookedUp("id", id), this.#definitions, narrowedTo(tenant));
  }

  async queues(): Promise<QueueStatus[]> {
    return statusOfAll(this.store);
  }

  workers(): Promise<WorkerRow[]> {
    return this.store.read.workers();
  }

  /** Jobs by filter, newest first. `more`: not all could be looked at, so there may be others. */
  async search(filter?: JobFilter, page?: PageOptions): Promise<Page<Job>> {
    const { page: number, limit } = pageOf(page);
    const found = await this.store.read.searchJobs(checkedFilter(filter), number, limit);
    return { ...found, items: found.items.map(publicJob) };
  }

  /** A plan of any queue; with a tenant only a plan of that tenant. */
  async plan(id: string, tenant?: string | null): Promise<Plan | undefined> {
    const row = await this.store.read.plan(lookedUp("id", id), narrowedTo(tenant));
    return row && shownPlan(this.store, row);
  }

  /** How far a decision over many jobs has come; with a tenant only one of that tenant is found. */
  async operation(id: string, tenant?: string | null): Promise<Operation | undefined> {
    const row = await this.store.read.operation(lookedUp("id", id), narrowedTo(tenant));
    return row && shownOperation(row);
  }

  /** Decisions over many jobs, newest first. */
  async findOperations(filter: OperationFilter = {}, page?: PageOptions): Promise<Page<Operation>> {
    const { page: number, limit } = pageOf(page);
    const found = await this.store.read.operations(filter, number, limit);
    return { ...found, items: found.items.map(shownOperation) };
  }

  async audit(filter?: AuditFilter, page?: PageOptions): Promise<Page<AuditRow>> {
    const { page: number, limit } = pageOf(page);
    return this.store.read.audit(checkedAuditFilter(filter), number, limit);
  }

  /** Checks the chain of the audit log: whether a row was changed, removed or slipped in. */
  verifyAudit(): Promise<AuditVerdict> {
    return verifyAudit(this.store);
  }

  /** Checks the certificate of a stop against the feed and the ledger of claims. */
  async verifyStop(id: string): Promise<StopVerdict> {
    return verifyStop(this.store, lookedUp("id", id), this.#history.events);
  }

  watch(options?: WatchOptions): AsyncGenerator<FeedEvent, void> {
    return watch(this.store, options);
  }

  /**
   * Deletes a queue with all its jobs, lanes, schedules and history, in bounded steps; the audit log stays. It must be
   * stopped, nothing of it may run, and nobody may work it (QUEUE_IN_USE). Needs a reason. Returns how many jobs went.
   */
  async deleteQueue(name: string, decision: Decision): Promise<number> {
    const known = lookedUp("name", name);
    if (!(await this.store.read.queue(known))) throw new AndonError("QUEUE_NOT_FOUND", { queue: known });
    const definition = this.#definitions.get(known) ?? {
      name: known,
      rules: parseQueueRules(known, undefined),
      hooks: {},
    };
    this.#made.delete(known);
    this.#ready.delete(known);
    return deleteQueue(this.store, definition, wholeDecision(decision));
  }

  /**
   * Something else to look after in this database now and then, every minute or rarer: done by the one process that keeps
   * house. It must do no harm where two do it at once.
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
    // A start that is under way would set its timers after the host is closed, and then nothing ever stops them.
    await Promise.allSettled(this.#starting);
    await this.operations.close();
    await this.#host?.close();
    await this.store.close();
  }

  /** For the queue's handle: its row exists before anything else is done with it. */
  async ready(definition: QueueDefinition, tx?: StoreTx): Promise<void> {
    if (this.#closing) throw new AndonError("CLOSED");
    if (this.#made.has(definition.name)) return;
    // Inside a caller's transaction the row is made there: it goes when that is rolled back, so it is not remembered;
    // and one that is being made outside may wait for this very transaction.
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

  /** For the queue's handle: adds inside a transaction, whose commit the workers hear of. */
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
