import type { FeedEvent } from "@andon/contract";

/**
 * The members of `data` that a caller with a scope sees in events about a whole queue: `all` in every event, `own` only
 * if the event is about a job within the scope. Jobs outside the scope and their errors stay hidden.
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

/** An event as a caller with a scope sees it; `isOwn`: it is about a job within the scope. */
export function viewInScope(event: FeedEvent, isOwn: boolean): FeedEvent {
  if (!event.type.startsWith("queue.")) return event;
  const shown = QUEUE_EVENTS[event.type] ?? { all: [], own: [] };
  const names = isOwn ? [...shown.all, ...shown.own] : shown.all;
  const data = Object.fromEntries(
    names.filter((name) => name in event.data).map((name) => [name, event.data[name]]),
  );
  return { ...event, jobId: isOwn ? event.jobId : null, data } as FeedEvent;
}
