import { KINDS, type Member, Site } from "@andon/testkit/processes";
import { addOutcome, emptyOutcome, judgeDone, type Outcome, percentile } from "@andon/testkit/proof";
import type { Fault, FaultRun } from "../fault.ts";
import { sleep } from "../rounds.ts";

const PER_SECOND = 200;
const LANES = 50;
const SHORTEST_MS = 60_000;
const PATIENCE_MS = 120_000;
/**
 * Above the difference between samples of one process, and far below what a leak of one object per job would add in hours.
 */
const MORE_MEMORY = 1.25;
const MORE_MEMORY_MB = 10;
/** Factor for the median wait. A loaded machine may double the median without a fault of ours. */
const MORE_TIME = 3;
const MORE_TIME_MS = 20;
const queue = "soak";

/** A steady 200 jobs per second: a worker's memory and a job's wait for its start must stay constant. */
export const soak: Fault = {
  name: "soak",
  shows: "200 jobs/s: memory and claim time flat",
  kinds: KINDS,
  weight: 4,
  async run(run) {
    const site = await Site.open(run.kind, run.serverUrl);
    try {
      return await soakFor(site, run);
    } catch (error) {
      return { ...emptyOutcome(), rounds: 1, findings: [(error as Error).message] };
    } finally {
      await site.close();
    }
  },
};

async function soakFor(site: Site, { budgetMs, say }: FaultRun): Promise<Outcome> {
  const outcome = { ...emptyOutcome(), rounds: 1 };
  const fleet = await site.spawn(2);
  await Promise.all(fleet.map((member) => member.ask({ do: "work", queue, places: 8 })));
  const line = site.andon.queue<object>(queue);
  const heaps: number[] = [];
  const sent = new Map<number, number>();
  const began = performance.now();
  const length = Math.max(budgetMs, SHORTEST_MS);
  let n = 0;
  let sampledAt = 0;
  while (performance.now() - began < length) {
    const passed = performance.now() - began;
    const missing = Math.min(Math.floor((passed / 1_000) * PER_SECOND) - n, PER_SECOND);
    if (missing > 0) {
      const at = Number(process.hrtime.bigint() / 1_000n);
      const errands = Array.from({ length: missing }, () => ({ n: n++, ms: 1 }));
      for (const errand of errands) sent.set(errand.n, at);
      await line.addMany(errands, ({ n: number }: { n?: number }) => ({
        key: `lane-${(number ?? 0) % LANES}`,
      }));
    }
    if (passed - sampledAt > length / 30) {
      sampledAt = passed;
      const { heapUsed } = await (fleet[0] as Member).ask<{ heapUsed: number }>({ do: "memory" });
      heaps.push(heapUsed / 1e6);
    }
    await sleep(20);
  }
  await site.drained(queue, n, PATIENCE_MS);
  outcome.jobs = n;
  addOutcome(
    outcome,
    await judgeDone(
      site,
      queue,
      Array.from({ length: n }, (_, index) => index),
    ),
  );

  const waits = site.ledger
    .read(queue)
    .filter(({ what }) => what === "start")
    .map(({ n: number, at }) => (at - (sent.get(number) ?? at)) / 1_000);
  const [early, late] = [thirdOf(waits, 0), thirdOf(waits, 2)];
  const [lean, full] = [thirdOf(heaps, 0), thirdOf(heaps, 2)];
  Object.assign(outcome.figures, {
    waitFirstMs: early,
    waitLastMs: late,
    heapFirstMB: lean,
    heapLastMB: full,
  });
  for (const [name, value] of Object.entries(outcome.figures))
    outcome.figures[name] = Math.round(value * 10) / 10;
  if (late > early * MORE_TIME + MORE_TIME_MS)
    outcome.findings.push(`a start took ${early} ms, then ${late} ms`);
  if (full > lean * MORE_MEMORY + MORE_MEMORY_MB)
    outcome.findings.push(`memory grew from ${lean} to ${full} MB`);
  say(JSON.stringify(outcome.figures));
  return outcome;
}

/** The median of the first or the last third. */
function thirdOf(values: readonly number[], third: 0 | 2): number {
  const size = Math.floor(values.length / 3);
  return percentile(values.slice(third * size, (third + 1) * size), 0.5) ?? 0;
}
