import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Andon } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

const MAX = 20;
const DURATION_MS = 500;
/** Tolerance for a busy machine: the handler reads the clock later than the claim did. */
const JUDGED_MS = 0.9 * DURATION_MS;

const places = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "andon-limiter-"));
    return { url: `sqlite:${join(folder, "a.db")}`, remove: () => rmSync(folder, { recursive: true }) };
  },
  async postgres() {
    const { url, drop } = await createDatabase();
    return { url, remove: drop };
  },
};

test.each(["sqlite", "postgres"] as const)(
  "%s: two stores share one limiter, on the real clock",
  async (kind) => {
    const { url, remove } = await places[kind]();
    const open = await Promise.all([1, 2].map(async () => new Andon(await openStore(url))));
    onTestFinished(async () => {
      await Promise.all(open.map((andon) => andon.close()));
      await remove();
    });
    await open[0]?.store.migrate();
    const queues = open.map((andon) => andon.queue("line", { limiter: { max: MAX, duration: DURATION_MS } }));
    await queues[0]?.addMany(Array(3 * MAX).fill("x"));
    const starts: number[] = [];
    for (const queue of queues) await queue.work(() => void starts.push(performance.now()), { places: MAX });
    await until(async () => starts.length === 3 * MAX);
    starts.sort((a, b) => a - b);
    for (const [n, start] of starts.entries())
      expect(start - (starts[n - MAX] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(JUDGED_MS);
  },
);
