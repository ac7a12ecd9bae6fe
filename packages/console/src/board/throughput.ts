import { useSyncExternalStore } from "react";
import type { QueueOverview } from "../api/client.ts";
import { type LiveEvent, onLiveEvent } from "../api/live.ts";

/** The number of jobs and attempts that ended in one second, by outcome. */
export interface Second {
  readonly done: number;
  readonly failed: number;
  readonly retried: number;
}

/** The chart starts with one minute and grows to this range. */
const SHOWN_SECONDS = 300;
const FEWEST_SECONDS = 60;

const NOTHING: Second = { done: 0, failed: 0, retried: 0 };

/** By queue, then by Unix second. */
const seconds = new Map<string, Map<number, Second>>();
/** Past stops in Unix seconds. They are taken from the stream, because the API would need one request per queue. */
const endedStops: { readonly from: number; readonly to: number }[] = [];
const stoppedAt = new Map<string, number>();
const readers = new Set<() => void>();
let version = 0;
let openedAt = Math.floor(Date.now() / 1_000);

/** Starts to count the events of the stream. */
export function followThroughput(): () => void {
  openedAt = Math.floor(Date.now() / 1_000);
  return onLiveEvent(count);
}

function amountOf(event: LiveEvent): Partial<Second> | undefined {
  if (event.type === "jobs.done") return { done: Number(event.done) || 0 };
  if (event.type === "job.failed") return { failed: 1 };
  if (event.type === "job.retrying") return { retried: 1 };
  return undefined;
}

const secondOf = (at: string) => Date.parse(at) / 1_000;

function noteStop({ type, queue, at }: LiveEvent): void {
  if (!queue) return;
  if (type === "queue.stopped") stoppedAt.set(queue, secondOf(at));
  const from = stoppedAt.get(queue);
  if (type !== "queue.resumed" || from === undefined) return;
  stoppedAt.delete(queue);
  endedStops.push({ from, to: secondOf(at) });
  while (endedStops[0] && endedStops[0].to < secondOf(at) - SHOWN_SECONDS) endedStops.shift();
}

function count(event: LiveEvent): void {
  noteStop(event);
  const amount = amountOf(event);
  if (!amount || !event.queue) return;
  const second = Math.floor(Date.parse(event.at) / 1_000);
  const ofQueue = seconds.get(event.queue) ?? new Map<number, Second>();
  seconds.set(event.queue, ofQueue);
  ofQueue.set(second, sum([ofQueue.get(second) ?? NOTHING, { ...NOTHING, ...amount }]));
  for (const old of ofQueue.keys()) if (old < second - SHOWN_SECONDS) ofQueue.delete(old);
  version += 1;
  for (const read of readers) read();
}

function sum(parts: readonly Second[]): Second {
  return parts.reduce(
    (all, part) => ({
      done: all.done + part.done,
      failed: all.failed + part.failed,
      retried: all.retried + part.retried,
    }),
    NOTHING,
  );
}

/** One row per second of the last minutes, over all queues; null for seconds before the page was opened. */
export function throughputOf(now: number): readonly (readonly [number, Second | null])[] {
  const sources = [...seconds.values()];
  const last = Math.floor(now / 1_000);
  const length = Math.min(SHOWN_SECONDS, Math.max(FEWEST_SECONDS, last - openedAt + 1));
  return Array.from({ length }, (_, index) => {
    const second = last - length + 1 + index;
    if (second < openedAt) return [second, null] as const;
    return [second, sum(sources.map((source) => source.get(second) ?? NOTHING))] as const;
  });
}

/** The periods in which queues were stopped: current stops, and past stops seen in the stream. */
export function stopsOf(queues: readonly QueueOverview[], now: number) {
  const standing = queues.flatMap(({ queue, pausedAt }) => {
    if (pausedAt === null) return [];
    const from = secondOf(pausedAt);
    stoppedAt.set(queue, from);
    return [{ from, to: now / 1_000 }];
  });
  return [...endedStops, ...standing];
}

/** Rerenders the component whenever something was counted. */
export function useThroughputVersion(): number {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => version,
  );
}
