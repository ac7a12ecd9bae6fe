import type { QueueRulesInput } from "@andon/contract";
import type { Queue } from "@andon/engine";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** The same queue in two processes. */
async function inTwo<Payload>(
  bench: Bench,
  rules: QueueRulesInput,
): Promise<[Queue<Payload>, Queue<Payload>]> {
  return [bench.queue<Payload>(rules), (await bench.another()).queue<Payload>("line", rules)];
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** How many jobs of a queue, or of a tenant, run at once over the fleet, and which job gets the next place. */
export function describeLimits(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "limits", (it) => {
    it("never let more jobs run than the queue's concurrency, in two processes with more places", async (bench) => {
      const queues = await inTwo<number>(bench, { concurrency: 3 });
      await queues[0].addMany(numbers(60), (n) => (n % 4 === 0 ? { key: `lane-${n % 8}` } : {}));
      let running = 0;
      let most = 0;
      for (const queue of queues) {
        await queue.work(
          async () => {
            most = Math.max(most, ++running);
            await new Promise((resolve) => setImmediate(resolve));
            running--;
          },
          { places: 10 },
        );
      }
      await bench.passUntil("all are done", async () => (await queues[0].status()).counts.done === 60);
      expect(most).toBe(3);
    });

    it("fill a place that becomes free, and no more", async (bench) => {
      const queues = await inTwo<number>(bench, { concurrency: 2 });
      await queues[0].addMany(numbers(5));
      const manual = bench.manualHandler();
      for (const queue of queues) await queue.work(manual.handler, { places: 2 });
      const [first] = await manual.takeMany(2);
      await bench.pass(3_000);
      expect(manual.started).toHaveLength(2);
      first?.succeed();
      await manual.take();
      await bench.pass(3_000);
      expect(manual.started).toHaveLength(3);
    });

    it("give each tenant its own places, however much another has queued", async (bench) => {
      const queues = await inTwo<string>(bench, { tenantConcurrency: 2 });
      const tenants = ["a", "a", "a", "a", "a", "b", "b", "b", "c"];
      await queues[0].addMany(tenants, (tenant) => ({ tenant }));
      const manual = bench.manualHandler();
      for (const queue of queues) await queue.work(manual.handler, { places: 8 });
      const calls = await manual.takeMany(5);
      await bench.pass(3_000);
      expect([...manual.started].sort()).toEqual(["a", "a", "b", "b", "c"]);
      calls.find((call) => call.job.tenant === "a")?.succeed();
      expect((await manual.take()).job.tenant).toBe("a");
      await bench.pass(3_000);
      expect(manual.started).toHaveLength(6);
    });

    it("are checked again with every job that ends, without a timer", async (bench) => {
      const queues = await inTwo<number>(bench, { concurrency: 3, tenantConcurrency: 2 });
      await queues[0].addMany(numbers(12), (n) => ({ tenant: n < 9 ? "a" : "b" }));
      const manual = bench.manualHandler();
      for (const queue of queues) await queue.work(manual.handler, { places: 3 });
      for (let n = 0; n < 12; n++) (await manual.take()).succeed();
      await eventually("all are done", async () => (await queues[0].status()).counts.done === 12);
    });

    it("let a small tenant's ten jobs run among the first forty beside another's flood", async (bench) => {
      const queue = bench.queue<string>({ fair: true });
      await queue.addMany(Array(500).fill("flood"), { tenant: "flood" });
      await queue.addMany(Array(10).fill("small"), { tenant: "small" });
      const starts: string[] = [];
      await queue.work((job) => void starts.push(job.payload), { places: 4 });
      await bench.passUntil(
        "the small tenant is served",
        () => starts.filter((who) => who === "small").length === 10,
      );
      expect(starts.lastIndexOf("small")).toBeLessThan(40);
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 510);
    });

    it("keep priorities and the order of adds within a tenant", async (bench) => {
      const queue = bench.queue<string>({ fair: true, concurrency: 1 });
      await queue.addMany(["a1", "a2", "b1", "A3", "b2", "B3"], (name) => ({
        tenant: name.slice(0, 1).toLowerCase(),
        priority: name < "a" ? 5 : 0,
      }));
      const starts: string[] = [];
      await queue.work((job) => void starts.push(job.payload));
      await bench.passUntil("all are done", () => starts.length === 6);
      expect(starts.filter((name) => /a/i.test(name))).toEqual(["A3", "a1", "a2"]);
      expect(starts.filter((name) => /b/i.test(name))).toEqual(["B3", "b1", "b2"]);
    });

    it("count every open job in its tenant's share, in any state, when its queue becomes fair", async (bench) => {
      const unfair = bench.queue<string>();
      const manual = bench.manualHandler();
      await unfair.add("running", { tenant: "a" });
      await unfair.add("ended", { tenant: "b" });
      await unfair.work(manual.handler, { places: 2 });
      const [, ended] = await manual.takeMany(2);
      await unfair.addMany(["ready", "ready"], { tenant: "c" });
      await unfair.addMany(["head", "blocked"], { tenant: "d", key: "k" });
      await unfair.add("later", { tenant: "e", delay: "5s" });
      await unfair.stop(KIM);
      ended?.succeed();
      await bench.settled();
      await bench.store.shareOut("line");
      const shares = async (table: string) =>
        (await bench.store.query<{ share: string }>(`select share from ${table} order by pos`)).map(
          ({ share }) => share,
        );
      expect(await shares("andon_jobs")).toEqual(["a", null, "c", "c", "d", "d", "e"]);
      expect(await shares("andon_running")).toEqual(["a"]);
      expect(await shares("andon_ready")).toEqual(["c", "c", "d"]);
    });

    it("run every job that waited when its queue became fair", async (bench) => {
      const unfair = bench.queue<string>({ backoff: { delay: "1s" } });
      let isFirst = true;
      const worker = await unfair.work(() => {
        if (isFirst) throw new Error("once");
      });
      const [failing] = await unfair.addMany(["fails once"], { tenant: "a" });
      await bench.passUntil(
        "it waits out its back-off",
        async () => (await unfair.status()).counts.scheduled === 1,
        900,
      );
      isFirst = false;
      await worker.close();
      await unfair.addMany(["r1", "r2"], { tenant: "b" });
      await unfair.addMany(["k1", "k2", "k3"], { tenant: "c", key: "k" });
      await unfair.add("later", { tenant: "d", delay: "5s" });
      const fair = (await bench.another()).queue<string>("line", { fair: true });
      const starts: string[] = [];
      await fair.work((job) => void starts.push(job.payload), { places: 2 });
      await bench.passUntil("all are done", async () => (await fair.status()).counts.done === 7);
      expect(starts.sort()).toEqual(["fails once", "k1", "k2", "k3", "later", "r1", "r2"]);
      expect((await bench.job(failing?.id as string)).attempts).toBe(1);
    });
  });
}
