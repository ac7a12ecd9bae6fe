import { type Decision, type HeldDecision, isAndonError } from "@andon/contract";
import type { ThrottleInput } from "@andon/engine";
import { type AbortAnswer, abortBulkJob } from "../abort/abort-bulk-job.ts";
import { UnrecordedAborts } from "../abort/unrecorded-aborts.ts";
import { type BroadcastContext, BULK_QUEUE, type Scope } from "../broadcast-context.ts";
import { BroadcastError } from "../contract/errors.ts";
import type { BulkJobState } from "../contract/states.ts";
import { findBulkRow } from "./bulk-rows.ts";
import { stateOf } from "./show-bulk-job.ts";

const NOUN = { noun: "bulk" } as const;

/** An operator's decisions about one bulk job, through any route. */
export class BulkDecisions {
  readonly #context: BroadcastContext;
  readonly #unrecorded: UnrecordedAborts;

  constructor(context: BroadcastContext) {
    this.#context = context;
    this.#unrecorded = new UnrecordedAborts(context.andon.store, context.flags);
  }

  async abort(id: string, decision: Decision, scope: Scope): Promise<AbortAnswer> {
    const { andon, flags } = this.#context;
    const { store } = andon;
    const find = () => findBulkRow(store, scope, id);
    const ports = { store, queue: this.#queue, flags, unrecorded: this.#unrecorded, find };
    return this.#refusing("abort", id, () => abortBulkJob(ports, id, decision, scope));
  }

  async resume(id: string, decision: Decision, scope: Scope): Promise<{ id: string; state: BulkJobState }> {
    const { andon, flags } = this.#context;
    const { store } = andon;
    const { scheduledAt } = await findBulkRow(store, scope, id);
    const { state } = await this.#refusing("resume", id, () => this.#queue.resumeJob(id, decision, NOUN));
    const resumedAt = (await this.#queue.bulkState(id))?.resumedAt;
    // After the commit. A flag older than the resume is ignored anyway, and a newer one must stay.
    await flags.clear(id, resumedAt ?? store.clock.now());
    return { id, state: stateOf(state, scheduledAt, store.clock.now(), false) };
  }

  async throttle(id: string, given: ThrottleInput, decision: Decision, scope: Scope): Promise<void> {
    const { pauseMs, maxPerSecond } = await findBulkRow(this.#context.andon.store, scope, id);
    const known = await this.#queue.bulkState(id);
    // The throttle of the job's row holds until the job starts. From here on the engine stores the whole throttle.
    const preset = known?.isThrottleStored ? undefined : { pauseMs, maxPerSecond };
    await this.#refusing("throttle", id, () =>
      this.#queue.throttle(id, { ...preset, ...given }, decision, { ...NOUN, preset }),
    );
  }

  async remove(id: string, decision: Decision, scope: Scope): Promise<void> {
    const { andon, flags } = this.#context;
    await findBulkRow(andon.store, scope, id);
    const how = { ...NOUN, waiting: true, needsReason: false };
    await this.#refusing("delete", id, () => this.#queue.deleteJob(id, decision, how));
    await flags.clear(id, andon.store.clock.now());
  }

  /** A skip through the operator API. It can be undone for a while if the settings allow it. */
  async removeUnlessHeld(id: string, decision: Decision, scope: Scope): Promise<HeldDecision | undefined> {
    await findBulkRow(this.#context.andon.store, scope, id);
    const isRunning = (await this.#queue.bulkState(id))?.state === "running";
    // A job that cannot be deleted now is refused now, and not when the decision is due.
    const held = isRunning ? undefined : await this.#queue.holdBack(id, "skip", decision);
    if (!held) await this.remove(id, decision, scope);
    return held;
  }

  close(): void {
    this.#unrecorded.close();
  }

  get #queue() {
    return this.#context.queue(BULK_QUEUE);
  }

  /** Translates the engine's refusals into this app's errors. */
  async #refusing<T>(action: string, id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isAndonError(error, "JOB_NOT_FOUND")) throw new BroadcastError("BULK_JOB_NOT_FOUND");
      if (!isAndonError(error, "JOB_STATE")) throw error;
      const bulk = await this.#queue.bulkState(id);
      const now = this.#context.andon.store.clock.now();
      const state = stateOf(
        bulk?.state ?? String(error.details.state),
        null,
        now,
        (bulk?.abort ?? null) !== null,
      );
      throw new BroadcastError("BULK_STATE", { state, action }, { cause: error });
    }
  }
}
