import { setTimeout as sleep } from "node:timers/promises";
import type { Site } from "@andon/testkit/processes";
import { percentile } from "@andon/testkit/proof";

const CRASHER = new URL("./crashing-handler.ts", import.meta.url);
const HEALTHY = 8_000;
const PLACES = 16;
const PAIRS = 3;
const operator = { actor: "operator", reason: "proof" };

/**
 * How much the others' throughput drops while poison is at work beside them in the same process: an isolated handler
 * that takes its process down at every attempt, and payloads of a megabyte and of a thousand levels. In percent, the
 * median of pairs; a figure for the report, since a busy machine moves it more than the poison does.
 */
export async function neighboursDrop(site: Site): Promise<number> {
  const drops: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const alone = await healthyRate(site, `alone-${pair}`);
    const poison = await startPoison(site, `poison-${pair}`);
    const beside = await healthyRate(site, `beside-${pair}`);
    await poison.stop();
    drops.push(100 * (1 - beside / alone));
  }
  return Math.round((percentile(drops, 0.5) ?? 0) * 10) / 10;
}

/** Jobs per second of handlers that take a millisecond. */
async function healthyRate(site: Site, name: string): Promise<number> {
  const line = site.andon.queue<number>(name);
  await line.addMany(Array.from({ length: HEALTHY }, (_, n) => n));
  const began = performance.now();
  const handle = await line.work(() => sleep(1), { places: PLACES });
  await line.drained();
  const seconds = (performance.now() - began) / 1_000;
  await handle.close();
  return HEALTHY / seconds;
}

async function startPoison(site: Site, name: string): Promise<{ stop(): Promise<void> }> {
  const rules = { attempts: 3, backoff: { type: "fixed", delay: 200 } } as const;
  const crashing = site.andon.queue<unknown>(`${name}-crash`, rules);
  const heavy = site.andon.queue<unknown>(`${name}-heavy`);
  let deep: unknown = 1;
  for (let level = 0; level < 1_000; level++) deep = [deep];
  await crashing.add("boom");
  await heavy.addMany(["x".repeat(999_000), "a\u0000b", deep]);
  const handles = [
    await crashing.work(CRASHER, { isolate: "process", places: 1 }),
    await heavy.work(() => {}, { places: 1 }),
  ];
  return {
    async stop() {
      for (const handle of handles) await handle.close();
      for (const { id } of (await crashing.jobs("failed")).items) await crashing.skip(id, operator);
    },
  };
}
