import type { OldestOfQueue, Store, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { KEEP_PLANS_MS, keepOf, purge } from "../verbs/purge.ts";

/**
 * Deletes ended jobs that are older than their queues keep them. A queue is purged only while it has workers, by the
 * longest retention of any of them: a process that only adds jobs may define the queue with other rules. One read-only
 * statement finds the queues that have something to delete.
 */
export class PurgeDuty {
  readonly #store: Store;
  readonly #definitions: ReadonlyMap<string, QueueDefinition>;

  constructor(store: Store, definitions: ReadonlyMap<string, QueueDefinition>) {
    this.#store = store;
    this.#definitions = definitions;
  }

  async run(): Promise<void> {
    const { read, clock } = this.#store;
    const workers = await read.workers();
    const queues = [...this.#definitions.values()].flatMap((queue) => keptLongest(queue, workers) ?? []);
    if (queues.length === 0) return;
    const names = queues.map(({ name }) => name);
    const oldest = new Map(
      (await read.oldestOf(names, Math.floor(clock.now()))).map((row) => [row.queue, row]),
    );
    for (const queue of queues)
      if (isDue(queue, oldest.get(queue.name), clock.now())) await purge(this.#store, queue);
  }
}

/**
 * The queue with the longest retention of its workers; undefined if it has no worker, or if one of them states no
 * retention.
 */
function keptLongest(queue: QueueDefinition, workers: readonly WorkerRow[]): QueueDefinition | undefined {
  const worked = workers.flatMap(({ rules }) => rules[queue.name] ?? []);
  const kept = worked.flatMap(({ keep }) => keep ?? []);
  if (kept.length === 0 || kept.length < worked.length) return undefined;
  const { keep } = queue.rules;
  const longest = {
    done: Math.max(keep.done, ...kept.map(({ done }) => done)),
    ended: Math.max(keep.ended, ...kept.map(({ ended }) => ended)),
  };
  return { ...queue, rules: { ...queue.rules, keep: longest } };
}

function isDue(queue: QueueDefinition, oldest: OldestOfQueue | undefined, now: number): boolean {
  const { done, ended } = keepOf(queue);
  const isOlder = (at: number | null | undefined, keep: number) => typeof at === "number" && at < now - keep;
  return isOlder(oldest?.done, done) || isOlder(oldest?.ended, ended) || isOlder(oldest?.plan, KEEP_PLANS_MS);
}
