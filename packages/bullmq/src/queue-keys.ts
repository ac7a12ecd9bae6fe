import type { RedisQueueBackend } from "bullmq";

/**
 * The Redis keys that the scripts use. Ours stand below `<prefix>:<queue>:andon:`, beside BullMQ's own: a job id has no colon, so
 * that none of them can be a job, and a prefix with a hash tag keeps all of them in one slot of a cluster.
 */
export function queueKeys(backend: RedisQueueBackend) {
  const own = (name: string) => backend.toKey(`andon:${name}`);
  return {
    job: (id: string) => backend.toKey(id),
    lock: (id: string) => `${backend.toKey(id)}:lock`,
    /** Where a skipped job stays readable. */
    record: (id: string) => own(`resolved:${id}`),
    /** Why the queue stands: a hash, there while it does. */
    stop: own("stop"),
    /** Skipped jobs that BullMQ's own keys still hold: a set, empty but for the moment of a skip. */
    leaving: own("leaving"),
    meta: backend.keys.meta as string,
    marker: backend.keys.marker as string,
    events: backend.keys.events as string,
    wait: backend.keys.wait as string,
    paused: backend.keys.paused as string,
    prioritized: backend.keys.prioritized as string,
    active: backend.keys.active as string,
    failed: backend.keys.failed as string,
    completed: backend.keys.completed as string,
    delayed: backend.keys.delayed as string,
    waitingChildren: backend.keys["waiting-children"] as string,
  };
}

export type QueueKeys = ReturnType<typeof queueKeys>;
