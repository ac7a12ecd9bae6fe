import type { FeedEvent } from "@andon/contract";

/**
 * What a caller with a scope reads of events that concern a whole queue: these members of `data`, and some only where the event is
 * about a job of its own. Jobs that are not its own, and what they failed with, are nobody else's business.
 */
const QUEUE_EVENTS: Readonly<Record<string, { all: readonly string[]; own: readonly string[] }>> = {
  "queue.stopped": {
    all: ["id", "queue", "epoch", "at", "kind", "actor", "reason"],
    own: ["jobId", "error"],
  },
  "queue.resumed": { all: ["actor", "stop", "epoch"], own: [] },
  "queue.degraded": { all: ["cause"], own: [] },
  "queue.recovered": { all: [], own: [] },
  "queue.probe-changed": { all: [], own: [] },
};

/** An event as such a caller may see it; `isOwn`: it is about a job within the scope. */
export function viewInScope(event: FeedEvent, isOwn: boolean): FeedEvent {
  if (!event.type.startsWith("queue.")) return event;
  const shown = QUEUE_EVENTS[event.type] ?? { all: [], own: [] };
  const names = isOwn ? [...shown.all, ...shown.own] : shown.all;
  const data = Object.fromEntries(
    names.filter((name) => name in event.data).map((name) => [name, event.data[name]]),
  );
  return { ...event, jobId: isOwn ? event.jobId : null, data } as FeedEvent;
}
