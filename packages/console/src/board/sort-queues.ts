import type { QueueOverview } from "../api/client.ts";
import type { LampKind } from "../ui/lamp.tsx";
import { millisecondsUntilEmpty } from "./drain.ts";

/** Queues that wait for a person's decision come first. */
const URGENCY: Record<LampKind, number> = { stopped: 0, degraded: 1, troubled: 2, paused: 3, running: 4 };

type Value = (queue: QueueOverview) => number | string | null;

/** The sort value of each column. Queues without a value come last in both directions. */
const VALUES = {
  name: ({ queue }) => queue,
  waiting: ({ waiting }) => waiting,
  oldest: ({ oldestWaitingAt }) => (oldestWaitingAt === null ? null : -Date.parse(oldestWaitingAt)),
  running: ({ active }) => active,
  failed: ({ failed }) => failed,
  rate: ({ donePerMinute }) => donePerMinute,
  drain: millisecondsUntilEmpty,
} satisfies Record<string, Value>;

export type SortedBy = keyof typeof VALUES;

export interface Order {
  readonly by: SortedBy | "urgency";
  readonly isDescending: boolean;
}

const BY_URGENCY: Order = { by: "urgency", isDescending: false };

/** The order in an address, such as `-waiting`; by urgency if it has none. */
export function orderIn(text: string | undefined): Order {
  const by = text?.replace(/^-/, "") ?? "";
  return Object.hasOwn(VALUES, by)
    ? { by: by as SortedBy, isDescending: text?.startsWith("-") ?? false }
    : BY_URGENCY;
}

/** The first click sorts names from A and numbers from the largest. The second reverses the order, the third removes it. */
export function nextOrder(order: Order, by: SortedBy): string | undefined {
  const first = by !== "name";
  if (order.by !== by) return `${first ? "-" : ""}${by}`;
  return order.isDescending === first ? `${first ? "" : "-"}${by}` : undefined;
}

export function sortQueues(
  queues: readonly QueueOverview[],
  order: Order,
  lookOf: (queue: QueueOverview) => LampKind,
): QueueOverview[] {
  const byName = queues.toSorted((a, b) => a.queue.localeCompare(b.queue));
  if (order.by === "urgency") return byName.sort((a, b) => URGENCY[lookOf(a)] - URGENCY[lookOf(b)]);
  const read: Value = VALUES[order.by];
  const sign = order.isDescending ? -1 : 1;
  return byName.sort((a, b) => {
    const [left, right] = [read(a), read(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "string") return sign * left.localeCompare(String(right));
    return sign * (left - Number(right));
  });
}
