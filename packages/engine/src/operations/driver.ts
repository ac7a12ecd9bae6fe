import { setTimeout as sleep } from "node:timers/promises";
import { AndonError, isAndonError } from "@andon/contract";
import type { ListItem, OperationRow, Store } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { signalWorkers } from "../verbs/cancel.ts";
import { ACTIONS, decideOneOf } from "./actions.ts";
import { decideOne } from "./decide-one.ts";
import { deleteQueueStep } from "./delete-queue-in-steps.ts";
import { findingsOf } from "./findings.ts";
import { freeze } from "./freeze.ts";
import { isPurged, purgeStep } from "./purge-in-steps.ts";
import { finish, giveUp, leaveOut, type Slice, takeStep } from "./step.ts";
import { StepSize } from "./step-size.ts";

/**
 * The pause between two steps, so that other processes can lock a SQLite file; inside one process transactions take
 * turns.
 */
const PAUSE_MS = 5;
/** The delay before a step is tried again after the store was unavailable. */
const TRY_AGAIN_MS = 500;
const MOST_TRIES = 3;
/** The interval of beats during long calls and reads: other processes must see that the driver is alive. */
const BEAT_EVERY_MS = 1_000;

interface DriverWatch {
  isClosed(): boolean;
  /** Called at every step once the list is complete. */
  onFrozen(operation: OperationRow): void;
}

/**
 * Carries out one operation that this process drives, step by step. `run` resolves with the ended operation, or with
 * undefined if another process has taken it.
 */
export class Driver {
  readonly #store: Store;
  readonly #queue: QueueDefinition;
  readonly #size = new StepSize();
  readonly #watch: DriverWatch;
  #row: { number: number; items: readonly ListItem[] } | undefined;
  #tries = 0;
  /** Whether the next job may be decided already although its place is not stored. */
  #mayBeDone: boolean;
  /** The error for which the last job was left out, or which prevented the end. */
  error: unknown;

  /** `isTaken`: another driver began the operation. */
  constructor(store: Store, queue: QueueDefinition, watch: DriverWatch, { isTaken }: { isTaken: boolean }) {
    this.#store = store;
    this.#queue = queue;
    this.#watch = watch;
    this.#mayBeDone = isTaken;
  }

  async run(operation: OperationRow): Promise<OperationRow | undefined> {
    let at: OperationRow | undefined = operation;
    while (at && at.finishedAt === null) {
      if (this.#watch.isClosed()) throw new AndonError("CLOSED");
      if (at.state === "running") this.#watch.onFrozen(at);
      at = await this.#next(at);
      await sleep(PAUSE_MS);
    }
    return at;
  }

  async #next(operation: OperationRow): Promise<OperationRow | undefined> {
    let slice: Slice | undefined;
    try {
      if (operation.state === "freezing") return await this.#freeze(operation);
      if (operation.action === "delete-queue")
        return await deleteQueueStep(this.#store, this.#queue, operation, this.#size);
      if (ACTIONS[operation.action].list === "range" && !isPurged(operation))
        return await purgeStep(this.#store, this.#queue, operation, this.#size);
      slice = await this.#slice(operation);
      const after = slice
        ? await this.#step(operation, slice)
        : await finish(this.#store, this.#queue, operation);
      this.#tries = 0;
      if (after?.finishedAt) this.#store.signal({ kind: "work", queue: this.#queue.name });
      return after;
    } catch (error) {
      return this.#afterError(operation, slice, error);
    }
  }

  #freeze(operation: OperationRow): Promise<OperationRow | undefined> {
    const withIds = decideOneOf(this.#queue, operation.action) !== undefined;
    return this.#beating(operation, () => freeze(this.#store, operation, { withIds }));
  }

  async #step(operation: OperationRow, slice: Slice): Promise<OperationRow | undefined> {
    const decide = decideOneOf(this.#queue, operation.action);
    if (decide) {
      const how = { mayBeDone: this.#mayBeDone };
      this.#mayBeDone = true;
      const after = await this.#beating(operation, () =>
        decideOne(this.#store, operation, slice, decide, how),
      );
      this.#mayBeDone = false;
      return after;
    }
    const findings = await this.#beating(operation, () => this.#findingsOf(operation, slice));
    const stepped = await takeStep(this.#store, this.#queue, operation, slice, findings);
    if (!stepped) return undefined;
    this.#size.took(stepped.ms, slice.items.length);
    signalWorkers(this.#store, this.#queue.name, stepped.cancelled);
    return stepped.operation;
  }

  /** A refused step is halved until it has only the job at fault. That job is left out, and the operation continues. */
  async #afterError(
    operation: OperationRow,
    slice: Slice | undefined,
    error: unknown,
  ): Promise<OperationRow | undefined> {
    if (isAndonError(error, "CLOSED")) throw error;
    if (this.#store.isUnavailable(error)) return this.#later(operation);
    if (slice && slice.items.length > 1) {
      this.#size.refused(slice.items.length);
      return operation;
    }
    // What refuses this one job, or the end, may be temporary.
    if (++this.#tries < MOST_TRIES) return operation;
    this.#tries = 0;
    this.error = error;
    const problem = error instanceof Error ? error.message : String(error);
    try {
      return await (slice
        ? leaveOut(this.#store, operation, slice, problem)
        : giveUp(this.#store, operation, problem));
    } catch (away) {
      if (!this.#store.isUnavailable(away)) throw away;
      return this.#later(operation);
    }
  }

  async #later(operation: OperationRow): Promise<OperationRow> {
    await sleep(TRY_AGAIN_MS);
    return operation;
  }

  /** The next items, as many as a step takes; undefined at the end of the list. */
  async #slice({ action, list, nextStep, nextItem }: OperationRow): Promise<Slice | undefined> {
    if (this.#row?.number !== nextStep)
      this.#row = { number: nextStep, items: await this.#store.read.listStep(list, nextStep) };
    const { items } = this.#row;
    if (items.length === 0) return undefined;
    const end = nextItem + (decideOneOf(this.#queue, action) ? 1 : this.#size.jobs);
    return { items: items.slice(nextItem, end), endsRow: end >= items.length };
  }

  async #findingsOf({ action }: OperationRow, { items }: Slice): Promise<Findings | undefined> {
    if (!ACTIONS[action].callsBeforeSkip || !this.#queue.beforeSkip) return undefined;
    const positions = items.map(([pos]) => pos);
    return findingsOf(this.#store, positions, this.#queue.beforeSkip);
  }

  async #beating<T>({ id, driver }: OperationRow, work: () => Promise<T>): Promise<T> {
    const beat = () =>
      this.#store
        .transaction("operation", (tx) => tx.beatOperation(id, driver as string))
        .catch(() => {
          // The next step finds by itself that the store is unavailable.
        });
    const beats = setInterval(beat, BEAT_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(beats);
    }
  }
}
