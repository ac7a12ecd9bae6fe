import apps from "virtual:installed-apps";

/** The first part of a query key. Events make all queries of a topic stale. The queries of an app have the app's name as topic. */
export type Topic = string;

const DECISION: readonly Topic[] = ["queues", "jobs", "alerts", "audit"];

const OWN: Readonly<Record<string, readonly Topic[]>> = {
  "queue.stopped": DECISION,
  "queue.resumed": DECISION,
  "queue.ramped": ["queues"],
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
  "job.abort-requested": ["jobs", "audit"],
  "job.aborted": ["jobs", "audit"],
  "job.resumed": ["jobs", "audit"],
  "job.throttle-changed": ["jobs", "audit"],
  "job.cancelled": DECISION,
  "job.run-now": DECISION,
  "job.parked": ["queues", "jobs"],
  "job.arrived": ["queues", "jobs"],
  "job.stage-rolled-back": ["jobs"],
  "job.roll-back-failed": ["jobs", "alerts"],
  "job.lost": ["queues", "jobs", "workers"],
  "job.handed-back": ["queues", "jobs", "workers"],
  "job.progress": ["jobs"],
  "schedule.fired": ["queues", "jobs", "schedules"],
  "schedule.missed": ["schedules"],
  "jobs.done": ["queues", "jobs", "workers"],
};

/** The topics of every event type. A type that is not listed is not received, because EventSource needs a listener per type. */
export const CONCERNS: Readonly<Record<string, readonly Topic[]>> = Object.assign(
  {},
  ...apps.map(({ eventTypes }) => eventTypes ?? {}),
  OWN,
);

/** An event in a queue of an app also makes the app's queries stale. */
const APP_OF_QUEUE: ReadonlyMap<string, string> = new Map(
  apps.flatMap(({ name, queues }) => Object.keys(queues ?? {}).map((queue) => [queue, name] as const)),
);

export function concernsOf({ type, queue }: { type: string; queue?: string }): readonly Topic[] {
  const topics = CONCERNS[type] ?? [];
  const app = queue === undefined ? undefined : APP_OF_QUEUE.get(queue);
  return app === undefined ? topics : [...topics, app];
}
