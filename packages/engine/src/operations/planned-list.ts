import { AndonError, MOST_PLANNED } from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { ListItem, PlannedJob, PlanReach, PlanRow, Store } from "../ports/store.ts";
import { ITEMS_PER_ROW, rowsOf, writeList } from "./list.ts";

const LIFETIME_MS = 15 * 60_000;
/**
 * A plan of up to this many jobs is saved together with its list; a larger list is written while its jobs are found.
 */
const MOST_TOGETHER = 10 * ITEMS_PER_ROW;

/**
 * Collects the jobs of a plan, batch by batch. It keeps only the members of each job that show whether the job has
 * changed, and only one batch in memory.
 */
export class PlannedList {
  readonly #store: Store;
  readonly #plan: PlanRow;
  readonly #byState: PlanReach["byState"] = {};
  #items: ListItem[] = [];
  #nextRow = 0;
  #lanesOpened = 0;
  #waitingBehind = 0;
  count = 0;

  constructor(store: Store, plan: PlanRow) {
    this.#store = store;
    this.#plan = plan;
  }

  get queue(): string {
    return this.#plan.queue;
  }

  get action(): PlanRow["action"] {
    return this.#plan.action;
  }

  async add(jobs: readonly PlannedJob[]): Promise<void> {
    this.count += jobs.length;
    if (this.count > MOST_PLANNED) throw new AndonError("PLAN_TOO_LARGE", { most: MOST_PLANNED });
    for (const { pos, id, ticket, state, attempts, fence } of jobs) {
      this.#byState[state] = (this.#byState[state] ?? 0) + 1;
      this.#items.push([pos, id, ticket, state, attempts, fence]);
    }
    if (this.action !== "cancel") await this.#reachLanes(jobs);
    if (this.#items.length >= MOST_TOGETHER) await this.#write();
  }

  /** Saves the complete plan, which is valid from now on. */
  async save(leftOut: number): Promise<PlanRow> {
    const { id, queue, createdAt } = this.#plan;
    const queueStopped = (await this.#store.read.queue(queue))?.state === "stopped";
    const plan: PlanRow = {
      ...this.#plan,
      expiresAt: createdAt + LIFETIME_MS,
      count: this.count,
      reach: {
        byState: this.#byState,
        lanesOpened: this.#lanesOpened,
        waitingBehind: this.#waitingBehind,
        queueStopped,
        leftOut,
      },
    };
    await this.#store.transaction("plan", async (tx) => {
      await tx.addSteps(id, this.#nextRow, rowsOf(this.#items));
      await tx.savePlan(plan);
    });
    return plan;
  }

  /** A crash in between leaves an expired plan, which is deleted with its list like any other. */
  async #write(): Promise<void> {
    if (this.#nextRow === 0) await this.#store.transaction("plan", (tx) => tx.savePlan(this.#plan));
    const next = await writeList(this.#store, this.#plan.id, this.#items, this.#nextRow);
    this.#nextRow = next ?? this.#nextRow;
    this.#items = [];
  }

  /**
   * Counts the lanes that a job of this batch holds. Jobs of the plan that wait in such a lane but are in another batch
   * count as waiting behind.
   */
  async #reachLanes(jobs: readonly PlannedJob[]): Promise<void> {
    const ids = new Set(jobs.map((job) => job.id));
    const inLane = new Map<LaneId, number>();
    for (const lane of jobs.flatMap((job) => job.lanes)) inLane.set(lane, (inLane.get(lane) ?? 0) + 1);
    for (const { id, depth, held } of await this.#store.read.lanesHeldByFailure(this.queue, [
      ...inLane.keys(),
    ])) {
      if (!ids.has(held?.jobId ?? "")) continue;
      this.#lanesOpened++;
      this.#waitingBehind += Math.max(0, depth - (inLane.get(id) ?? 0));
    }
  }
}
