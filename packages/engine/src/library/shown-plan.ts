import type { Job } from "@andon/contract";
import type { PlanRow, Store } from "../ports/store.ts";
import { type PlanState, planState } from "../verbs/plan.ts";
import { publicJob } from "./public-job.ts";

/** A frozen set of jobs, and the decision that would be applied to it. */
export interface Plan<Payload = unknown> extends PlanRow {
  state: PlanState;
  /** The first 20 of them, as they are now. */
  sample: Job<Payload>[];
}

const MOST_SHOWN = 20;

export async function shownPlan<Payload = unknown>(store: Store, plan: PlanRow): Promise<Plan<Payload>> {
  const first = (await store.read.listStep(plan.id, 0)).slice(0, MOST_SHOWN).map(([pos]) => pos);
  const sample = (await store.read.readJobs(first)).map(publicJob) as Job<Payload>[];
  return { ...plan, state: planState(plan, store.clock.now()), sample };
}
