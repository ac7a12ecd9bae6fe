import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { expire } from "../verbs/expire.ts";
import { type PromotionPass, promote } from "../verbs/promote.ts";
import { sleep } from "../worker/sleep.ts";
import { NOTHING_DUE, TRY_AGAIN_MS } from "./due-loop.ts";

const BACK_SOON_MS = 5;
/**
 * How long to wait for slow queues before the others are promoted again, and before a queue that is held up is tried
 * again.
 */
const PATIENCE_MS = 100;
/**
 * The intended duration of a step: transactions that need the queue, a lane or, on SQLite, the file exclusively wait
 * for it.
 */
const STEP_MS = 50;
const FEWEST_AT_ONCE = 100;
const FIRST_AT_ONCE = 500;
const MOST_AT_ONCE = 10_000;
/**
 * Each step continues behind the previous one, since a scan from the front would pass over its deleted rows until a
 * vacuum. After this long a new pass begins at the front: it finds jobs that were added with a time already passed, and
 * jobs whose lane was locked.
 */
const LONGEST_PASS_MS = 1_000;

/**
 * Puts due jobs in line. Queues are promoted concurrently, each by one pass at a time, so that a queue that fails or is
 * locked for long does not delay the others.
 */
export class Promoter {
  readonly #store: Store;
  /**
   * Only the rules of a queue say what its expired parked jobs do to the queue, so those of other queues are left to
   * processes that define them.
   */
  readonly #definitions: ReadonlyMap<string, QueueDefinition>;
  readonly #onError: (error: unknown) => void;
  readonly #underWay = new Map<string, Promise<void>>();
  /** When queues that failed are tried again. Of consecutive failures only the first is reported. */
  readonly #failed = new Map<string, number>();
  /** When queues that another transaction holds up are tried again. */
  readonly #resting = new Map<string, number>();
  #atOnce = FIRST_AT_ONCE;
  #closed = false;

  constructor(
    store: Store,
    definitions: ReadonlyMap<string, QueueDefinition>,
    onError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#definitions = definitions;
    this.#onError = onError;
  }

  /** Returns how long to sleep. */
  async promoteDue(): Promise<number> {
    const { read, clock } = this.#store;
    const next = await read.nextDue();
    if (next === undefined) return NOTHING_DUE;
    if (next > clock.now()) return next - clock.now();
    const due = (await read.dueQueues(clock.now())).filter((queue) => this.#isFree(queue));
    if (due.length === 0) return PATIENCE_MS;
    await this.#patiently(due.map((queue) => this.#start(queue)));
    return BACK_SOON_MS;
  }

  /** Resolves when nothing is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#underWay.values());
  }

  #isFree(queue: string): boolean {
    const until = Math.max(this.#failed.get(queue) ?? 0, this.#resting.get(queue) ?? 0);
    return !this.#underWay.has(queue) && until <= this.#store.clock.monotonic();
  }

  #start(queue: string): Promise<void> {
    const promoting = this.#promote(queue).finally(() => this.#underWay.delete(queue));
    this.#underWay.set(queue, promoting);
    return promoting;
  }

  async #promote(queue: string): Promise<void> {
    const { clock } = this.#store;
    this.#resting.delete(queue);
    try {
      const isHeldUp = await this.#pass(queue);
      if (isHeldUp) this.#resting.set(queue, clock.monotonic() + PATIENCE_MS);
      this.#failed.delete(queue);
    } catch (error) {
      if (!this.#failed.has(queue)) this.#onError(error);
      this.#failed.set(queue, clock.monotonic() + TRY_AGAIN_MS);
    }
  }

  /**
   * Promotes in steps, with a pause after each for transactions that need the store exclusively. Returns whether the
   * rest waits for another transaction or process.
   */
  async #pass(queue: string): Promise<boolean> {
    const { clock } = this.#store;
    const end = clock.monotonic() + LONGEST_PASS_MS;
    let pass: PromotionPass | undefined;
    let promoted = 0;
    for (;;) {
      const began = clock.monotonic();
      const step = await promote(this.#store, queue, this.#atOnce, pass);
      const definition = this.#definitions.get(queue);
      if (definition) for (const pos of step.expired) await expire(this.#store, definition, pos);
      if (step.pass) this.#adapt(clock.monotonic() - began);
      pass = step.pass;
      promoted += step.promoted;
      const isLeft = step.expired.length > 0 && !definition;
      const isOver = !pass || this.#closed || clock.monotonic() >= end;
      if (isOver) return isLeft || (step.isHeldUp && (!pass || promoted === 0));
      await sleep(clock, BACK_SOON_MS);
    }
  }

  #adapt(tookMs: number): void {
    const factor = Math.min(2, Math.max(0.5, STEP_MS / Math.max(1, tookMs)));
    this.#atOnce = Math.min(MOST_AT_ONCE, Math.max(FEWEST_AT_ONCE, Math.round(this.#atOnce * factor)));
  }

  async #patiently(promotions: readonly Promise<void>[]): Promise<void> {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#store.clock.after(PATIENCE_MS, resolve);
    });
    await Promise.race([Promise.all(promotions), late]);
    cancel();
  }
}
