import { type BulkState, iso, isoOrNull, type Job, type Language, localError } from "@andon/contract";
import type { Andon, Queue } from "@andon/engine";
import type { BulkJobState } from "../contract/states.ts";
import type { BulkRow } from "./bulk-rows.ts";

const STATE_OF: Readonly<Record<string, BulkJobState>> = {
  blocked: "WAITING",
  ready: "WAITING",
  parked: "WAITING",
  running: "RUNNING",
  done: "COMPLETED",
  failed: "FAILED",
  aborted: "ABORTED",
};

/** A scheduled job whose time has passed waits for a back-off. A running job with an abort request is aborting. */
export function stateOf(
  jobState: string,
  scheduledAt: number | null,
  now: number,
  isAsked: boolean,
): BulkJobState {
  if (jobState === "scheduled") return (scheduledAt ?? 0) > now ? "SCHEDULED" : "WAITING";
  if (jobState === "running" && isAsked) return "ABORTING";
  return STATE_OF[jobState] ?? "WAITING";
}

/** Bulk jobs as the API shows them: their rows and their state in the engine. */
export async function showBulkJobs(
  { andon, queue }: { andon: Andon; queue: Queue<unknown> },
  rows: readonly BulkRow[],
  language: Language,
) {
  const ids = rows.map(({ id }) => id);
  const [states, jobs] = await Promise.all([queue.bulkStates(ids), andon.reading.jobs(ids)]);
  const stateById = new Map(states.map((state) => [state.jobId, state]));
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  const now = andon.store.clock.now();
  return rows.flatMap((row) => {
    const [state, job] = [stateById.get(row.id), jobById.get(row.id)];
    // Deleted or purged between the two reads.
    return state && job ? [shown(row, state, job, now, language)] : [];
  });
}

function shown(row: BulkRow, bulk: BulkState, job: Job, now: number, language: Language) {
  const { pauseMs, maxPerSecond, snapshot: _snapshot, jobState: _state, ...own } = row;
  const { abort, receipt, slowed } = bulk;
  return {
    ...own,
    scheduledAt: isoOrNull(row.scheduledAt),
    state: stateOf(bulk.state, row.scheduledAt, now, abort !== null),
    cursor: bulk.cursor as string | null,
    processed: bulk.processed,
    total: bulk.total,
    ratePerSecond: bulk.ratePerSecond === null ? null : Math.round(bulk.ratePerSecond * 10) / 10,
    estimatedEndAt: isoOrNull(bulk.estimatedEndAt),
    throttle: bulk.isThrottleStored ? bulk.throttle : { pauseMs, maxPerSecond },
    ...(slowed ? { slowed } : {}),
    createdAt: iso(row.createdAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    error: job.error ? localError(job.error, language).message : null,
    ...(abort ? { abort: { ...abort, requestedAt: iso(abort.requestedAt) } } : {}),
    ...(receipt
      ? {
          receipt: {
            ...receipt,
            outcome: receipt.outcome === "done" ? ("COMPLETED" as const) : ("ABORTED" as const),
            cursor: receipt.cursor as string | null,
            requestedAt: iso(receipt.requestedAt),
            stoppedAt: iso(receipt.stoppedAt),
          },
        }
      : {}),
  };
}
