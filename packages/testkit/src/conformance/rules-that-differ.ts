import type { QueueRulesInput } from "@andon/contract";
import { Andon, type Queue, type Store } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";
import type { ManualHandler } from "./manual-handler.ts";
import { mortalWorker } from "./sweep.ts";

interface Process {
  readonly queue: Queue<string>;
  readonly manual: ManualHandler;
  readonly told: unknown[];
  readonly store: Store;
  close(): Promise<void>;
}

async function processWith(bench: Bench, rules: QueueRulesInput): Promise<Process> {
  const told: unknown[] = [];
  const { store } = await bench.another();
  const andon = new Andon(store, { onError: (error) => told.push(error) });
  const queue = andon.queue<string>("line", { timeout: 0, ...rules });
  const manual = bench.manualHandler();
  const worker = await queue.work(manual.handler, { places: 4 });
  return { queue, manual, told, store, close: () => worker.close() };
}

const RULES_DIFFER = expect.objectContaining({ code: "RULES_DIFFER" });

/** Processes that work one queue by different rules, as during the roll-out of a new version. */
export function describeRulesThatDiffer(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "rules that differ", (it) => {
    for (const [first, second] of [
      ["serial", "lanes"],
      ["lanes", "serial"],
    ] as const)
      it(`make a process of mode ${second} wait until the one of mode ${first} has ended`, async (bench) => {
        const old = await processWith(bench, { mode: first });
        const fresh = await processWith(bench, { mode: second });
        expect(fresh.told).toEqual([RULES_DIFFER]);
        const added = await old.queue.addMany(["1", "2", "3"]);
        const calls = await old.manual.takeMany(first === "serial" ? 1 : 3);
        await bench.pass(5_000);
        expect(fresh.manual.started).toEqual([]);
        old.manual.letGo();
        for (const call of calls) call.succeed();
        for (const { id } of added) await bench.reaches(id, "done");
        await old.close();
        await bench.pass(5_000);
        const { id } = await fresh.queue.add("4");
        (await fresh.manual.take(id)).succeed();
        await bench.reaches(id, "done");
        expect(old.told).toEqual([]);
        expect(fresh.told).toEqual([RULES_DIFFER]);
      });

    it("end for the waiting process even if its first beat afterwards fails", async (bench) => {
      const old = await processWith(bench, { mode: "lanes" });
      const fresh = await processWith(bench, { mode: "serial" });
      const { store } = fresh;
      const beat = store.beat.bind(store);
      store.beat = async (worker) => {
        if (worker.rules.line?.waits) return beat(worker);
        store.beat = beat;
        throw new Error("the connection was lost");
      };
      await old.close();
      await bench.pass(5_000);
      const { id } = await fresh.queue.add("x");
      await bench.pass(5_000);
      (await fresh.manual.take(id)).succeed();
      await bench.reaches(id, "done");
      expect(fresh.told).toEqual([RULES_DIFFER, new Error("the connection was lost")]);
    });

    it("let one of two that start at once work, and the other wait", async (bench) => {
      const both = await Promise.all([
        processWith(bench, { mode: "serial" }),
        processWith(bench, { mode: "lanes" }),
      ]);
      await bench.pass(5_000);
      const added = await both[0].queue.addMany(["1", "2"]);
      await bench.passUntil("one has begun", () => both.some(({ manual }) => manual.started.length > 0));
      const [first, second] = both[0].manual.started.length > 0 ? both : [both[1], both[0]];
      first.manual.letGo();
      await bench.reaches(added[1]?.id as string, "done");
      await bench.pass(5_000);
      expect(second.manual.started).toEqual([]);
      await first.close();
      await bench.pass(5_000);
      const { id } = await second.queue.add("3");
      (await second.manual.take(id)).succeed();
      await bench.reaches(id, "done");
    });

    it("leave a job to a worker whose own lease is longer than ours", async (bench) => {
      const slow = await mortalWorker(bench, { timeout: 0, lease: 60_000 });
      const { id } = await slow.queue.add("x");
      await slow.manual.take(id);
      const queue = bench.queue<string>({ timeout: 0, lease: 6_000, sweep: 3_000 });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      slow.lifeline.cut();
      await bench.pass(40_000);
      expect(manual.started).toEqual([]);
      expect((await bench.job(id)).state).toBe("running");
      await bench.pass(60_000);
      (await manual.take(id)).succeed();
      await bench.reaches(id, "done");
    });
  });
}
