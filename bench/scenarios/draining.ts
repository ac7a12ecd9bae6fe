import { setTimeout as sleep } from "node:timers/promises";
import type { BenchJob, Contender, Handler } from "../contender.ts";
import { Ledger } from "../ledger.ts";

export function jobs(count: number, keys = 0, from = 0): BenchJob[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i;
    return keys > 0 ? { n, key: `key-${n % keys}` } : { n };
  });
}

/**
 * Runs jobs that are not measured, so that the code is compiled, statements are prepared and connections are open. Otherwise
 * a worker that has just started would pay for all of that within half a second of measuring.
 */
export async function warmUp(contender: Contender, count = 2_000, keys = 0): Promise<void> {
  const ledger = new Ledger(count);
  await addInOrder(contender, jobs(count, keys), keys);
  const working = await contender.work({}, (job) => ledger.start(job));
  await ledger.reached(count);
  await untilSettled(contender);
  await working.stop();
}

/**
 * Adds keyed jobs so that no bulk add contains two jobs of one key: some queues give all jobs of a bulk add the same time and
 * lose their order. That fault has its own scenario and must not affect this one.
 */
export async function addInOrder(contender: Contender, list: BenchJob[], keys: number): Promise<void> {
  if (keys === 0) return contender.addBulk(list);
  for (let from = 0; from < list.length; from += keys) await contender.addBulk(list.slice(from, from + keys));
}

/** Waits until the store reports nothing unfinished: a job counts when its end is recorded. */
export async function untilSettled(contender: Contender, expected = 0): Promise<void> {
  while ((await contender.unfinished()) > expected) await sleep(1);
}

export interface Drained {
  ledger: Ledger;
  seconds: number;
}

/** Starts a worker on a filled queue and times it from its start until the store has recorded the last end. */
export async function drain(contender: Contender, count: number, inOrder: boolean): Promise<Drained> {
  const ledger = new Ledger(count);
  const handler: Handler = inOrder
    ? async (job) => {
        ledger.startInOrder(job);
        await null;
        ledger.end(job);
      }
    : (job) => ledger.start(job);
  const before = performance.now();
  const working = await contender.work({}, handler);
  await ledger.reached(count);
  await untilSettled(contender);
  const seconds = (performance.now() - before) / 1000;
  // A job may run a second time after the last end is recorded.
  await sleep(50);
  await working.stop();
  return { ledger, seconds };
}
