import type { Language } from "@andon/contract";
import { type BroadcastContext, BULK_QUEUE, type Scope } from "../broadcast-context.ts";
import type { BulkJobState } from "../contract/states.ts";
import { type BulkFilter, listBulkRows } from "./bulk-rows.ts";
import { showBulkJobs } from "./show-bulk-job.ts";

/**
 * The engine states of each state of this app. Whether a running job is aborting depends on its abort request, not on its
 * state.
 */
const FILTER_OF: Readonly<Record<BulkJobState, BulkFilter>> = {
  SCHEDULED: { jobStates: ["scheduled"], isLater: true },
  WAITING: { jobStates: ["scheduled", "blocked", "ready", "parked"], isLater: false },
  RUNNING: { jobStates: ["running"] },
  ABORTING: { jobStates: ["running"] },
  ABORTED: { jobStates: ["aborted"] },
  COMPLETED: { jobStates: ["done"] },
  FAILED: { jobStates: ["failed"] },
};
/** More jobs cannot run at once: each takes a place of a worker. */
const MOST_RUNNING = 10_000;

interface Wanted {
  readonly page: number;
  readonly limit: number;
  readonly state?: BulkJobState | undefined;
  readonly category?: string | undefined;
  readonly text?: string | undefined;
}

export async function listBulkJobs(
  { andon, queue }: BroadcastContext,
  scope: Scope,
  { page, limit, state, category, text }: Wanted,
  language: Language,
) {
  const { store } = andon;
  const engine = { andon, queue: queue(BULK_QUEUE) };
  const filter = { category, text, ...(state ? FILTER_OF[state] : {}) };
  if (state !== "RUNNING" && state !== "ABORTING") {
    const found = await listBulkRows(store, scope, filter, { page, limit });
    return { ...found, items: await showBulkJobs(engine, found.items, language) };
  }
  const running = await listBulkRows(store, scope, filter, { page: 1, limit: MOST_RUNNING });
  const items = (await showBulkJobs(engine, running.items, language)).filter((job) => job.state === state);
  return { total: items.length, page, limit, items: items.slice((page - 1) * limit, page * limit) };
}
