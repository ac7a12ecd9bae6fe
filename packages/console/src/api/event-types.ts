/** Parts of the page that events can make stale; each is the first word of its queries' keys. */
export type Topic = "queues" | "jobs" | "alerts" | "audit" | "workers" | "schedules" | "vault";

const DECISION: readonly Topic[] = ["queues", "jobs", "alerts", "audit"];

/** Every event of the feed, and what it concerns. A stream tells a type apart only if it is listened to by name. */
export const CONCERNS: Readonly<Record<string, readonly Topic[]>> = {
  "queue.stopped": DECISION,
  "queue.resumed": DECISION,
  "queue.degraded": ["queues", "jobs", "alerts"],
  "queue.recovered": ["queues", "jobs", "alerts"],
  "queue.probe-changed": ["queues", "jobs"],
  "lane.held": DECISION,
  "lane.released": DECISION,
  "lane.rest-cancelled": DECISION,
  "job.retrying": ["queues", "jobs"],
  "job.failed": ["queues", "jobs", "alerts"],
  "job.skipped": ["queues", "jobs"],
  "job.retried": DECISION,
  "job.resolved": DECISION,
  "job.cancel-requested": ["jobs", "audit"],
  "job.cancelled": DECISION,
  "job.run-now": DECISION,
  "job.lost": ["queues", "jobs", "workers"],
  "job.handed-back": ["queues", "jobs", "workers"],
  "job.progress": ["jobs"],
  "schedule.fired": ["queues", "jobs", "schedules"],
  "schedule.missed": ["schedules"],
  "jobs.done": ["queues", "jobs", "workers"],
};

/** The vault's queues: whatever happens in them, its rooms have changed too. */
const VAULT_QUEUES: ReadonlySet<string | undefined> = new Set(["nas-sync", "vault", "vault-drift"]);

export function concernsOf({ type, queue }: { type: string; queue?: string }): readonly Topic[] {
  const topics = CONCERNS[type] ?? [];
  return VAULT_QUEUES.has(queue) ? [...topics, "vault"] : topics;
}
