import { setTimeout as wait } from "node:timers/promises";
import { type Decision, type HeldDecision, isAndonError } from "@andon/contract";
import { StudioError } from "../contract/errors.ts";
import { type Scope, type StudioContext, TASK_QUEUE } from "../studio-context.ts";
import { findTask, readTaskStatus } from "./task-rows.ts";

const NOUN = { noun: "task" } as const;
/** How long a cancel waits for the work to end before it answers. Most work ends within a moment. */
const CANCEL_WAIT_MS = 2_000;
const LOOK_MS = 25;

type TaskStatusRow = Awaited<ReturnType<typeof readTaskStatus>>;
/** `held`: the cancel is held back; the task goes on until it is applied. */
type Cancelled = TaskStatusRow & { readonly held?: HeldDecision | undefined };

/** An operator's decisions about one task, through any route. */
export class TaskDecisions {
  readonly #context: Pick<StudioContext, "andon" | "queue">;
  readonly #forced = new Set<string>();

  constructor(context: Pick<StudioContext, "andon" | "queue">) {
    this.#context = context;
  }

  /** Whether the running retry of this task may exceed its limit. The hook of the retry calls this. */
  isForced(id: string): boolean {
    return this.#forced.has(id);
  }

  async retry(
    id: string,
    decision: Decision,
    scope: Scope,
    { force = false }: { force?: boolean } = {},
  ): Promise<TaskStatusRow & { retryCount: number }> {
    await findTask(this.#store, scope, id);
    if (force) this.#forced.add(id);
    try {
      await this.#refusing("retry", id, () => this.#queue.retry(id, decision));
    } finally {
      this.#forced.delete(id);
    }
    const { retryCount } = await findTask(this.#store, scope, id);
    return { ...(await readTaskStatus(this.#store, id)), retryCount: Number(retryCount) };
  }

  /** Final. Allowed while the task is waiting, processing or failed. */
  async cancel(id: string, decision: Decision, scope: Scope): Promise<Cancelled> {
    const task = await findTask(this.#store, scope, id);
    if (task.state === "failed") return this.cancelFailed(id, decision, scope);
    const held = await this.#refusing("cancel", id, async () => {
      try {
        return (await this.#queue.cancel(id, decision)).decision;
      } catch (error) {
        // The task has just failed. A failed task can be cancelled too.
        if (!isAndonError(error, "JOB_STATE") || error.details.state !== "failed") throw error;
        return this.#skip(id, decision);
      }
    });
    if (held) return { ...(await readTaskStatus(this.#store, id)), held };
    for (let waited = 0; ; waited += LOOK_MS) {
      const current = await readTaskStatus(this.#store, id);
      if (current.status !== "processing" || waited >= CANCEL_WAIT_MS) return current;
      await wait(LOOK_MS);
    }
  }

  /** A skip through the operator API has the same effect. */
  async cancelFailed(id: string, decision: Decision, scope: Scope): Promise<Cancelled> {
    await findTask(this.#store, scope, id);
    const held = await this.#refusing("cancel", id, () => this.#skip(id, decision));
    return { ...(await readTaskStatus(this.#store, id)), held };
  }

  async remove(id: string, decision: Decision, scope: Scope): Promise<void> {
    await findTask(this.#store, scope, id);
    const how = { ...NOUN, waiting: true, needsReason: false };
    await this.#refusing("delete", id, () => this.#queue.deleteJob(id, decision, how));
  }

  #skip(id: string, decision: Decision): Promise<HeldDecision | undefined> {
    return this.#queue.skip(id, decision, undefined, { action: "task.cancel", needsReason: false });
  }

  get #queue() {
    return this.#context.queue(TASK_QUEUE);
  }

  get #store() {
    return this.#context.andon.store;
  }

  /** Translates the engine's refusals into this app's errors. */
  async #refusing<T>(action: string, id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isAndonError(error, "JOB_NOT_FOUND")) throw new StudioError("TASK_NOT_FOUND");
      if (!isAndonError(error, "JOB_STATE")) throw error;
      const { type, status } = await readTaskStatus(this.#store, id);
      throw new StudioError("TASK_STATE", { type, status, action }, { cause: error });
    }
  }
}
