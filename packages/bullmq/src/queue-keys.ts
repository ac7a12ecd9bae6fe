import type { RedisQueueBackend } from "bullmq";

/**
 * The Redis keys that the scripts use. Andon's own keys start with `<prefix>:<queue>:andon:`. A job id has no colon, so no such key
 * can be the key of a job. A prefix with a hash tag keeps all of them in one slot of a cluster.
 */
export function queueKeys(backend: RedisQueueBackend) {
  const own = (name: string) => backend.toKey(`andon:${name}`);
  return {
    job: (id: string) => backend.toKey(id),
    lock: (id: string) => `${backend.toKey(id)}:lock`,
    /** The record of a skipped job. */
    record: (id: string) => own(`resolved:${id}`),
    /** A hash with the reason of the stop. It exists while the queue is stopped. */
    stop: own("stop"),
    /** A set of skipped jobs that BullMQ's own keys still hold. It is empty except during a skip. */
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
