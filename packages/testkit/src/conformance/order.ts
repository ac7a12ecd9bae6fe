import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** Jobs of a lane run one at a time, in the order of commits (D2). */
export function describeOrder(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "order in lanes", (it) => {
    it("runs the jobs of each key one at a time and in order, different keys in parallel, over all workers", async (bench) => {
      const here = bench.queue<string>();
      const there = (await bench.another()).queue<string>("line");
      const order = new Map<string, (number | null)[]>();
      const running = new Set<string>();
      let most = 0;
      const handler = async ({ payload: key, seq }: { payload: string; seq: number | null }) => {
        expect(running.has(key), `two of lane ${key}`).toBe(false);
        running.add(key);
        most = Math.max(most, running.size);
        order.set(key, [...(order.get(key) ?? []), seq]);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running.delete(key);
      };
      await here.work(handler, { places: 4 });
      await there.work(handler, { places: 4 });
      const keys = Array.from({ length: 80 }, (_, n) => `lane ${n % 8}`);
      await Promise.all(keys.map((key, n) => (n % 2 ? here : there).add(key, { key })));
      await bench.passUntil("all are done", async () => (await here.status()).counts.done === 80);
      expect([...order.keys()].sort()).toEqual([...new Set(keys)]);
      for (const [key, seqs] of order) expect(seqs, key).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(bench.errors).toEqual([]);
      expect(most).toBeGreaterThan(1);
    });

    it("orders overlapping transactions by their commits", async (bench) => {
      const queue = bench.queue<string>();
      const other = (await bench.another()).queue<string>("line");
      await Promise.all([queue.status(), other.status()]);
      let commit = () => {};
      const mayCommit = new Promise<void>((resolve) => {
        commit = resolve;
      });
      let added = () => {};
      const isAdded = new Promise<void>((resolve) => {
        added = resolve;
      });
      const first = bench.andon.transaction(async (tx) => {
        const job = await queue.add("first", { key: "k", tx });
        added();
        await mayCommit;
        return job;
      });
      await isAdded;
      let secondIsStored = false;
      const second = other.add("second", { key: "k" }).then((job) => {
        secondIsStored = true;
        return job;
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(secondIsStored).toBe(false);
      commit();
      expect((await first).seq).toBe(1);
      expect((await second).seq).toBe(2);
    });

    it("retries a transaction after a deadlock", async (bench) => {
      const queue = bench.queue<string>();
      const other = await bench.another();
      const line = other.queue<string>("line");
      await Promise.all([queue.status(), line.status()]);
      const cross = (andon: typeof other, to: typeof line, keys: [string, string]) =>
        andon.transaction(async (tx) => {
          await to.add(keys.join(), { tx, key: keys[0] });
          await new Promise((resolve) => setTimeout(resolve, 30));
          return to.add(keys.join(), { tx, key: keys[1] });
        });
      await Promise.all([cross(bench.andon, queue, ["x", "y"]), cross(other, line, ["y", "x"])]);
      expect((await queue.status()).counts).toMatchObject({ ready: 2, blocked: 2 });
    });

    it("runs a job with several keys only when it is the head of every lane", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const a = await queue.add("a", { key: "a" });
      const b = await queue.add("b", { key: "b" });
      const ab = await queue.add("ab", { keys: ["b", "a", "b"] });
      const a2 = await queue.add("a2", { key: "a" });
      const [first, second] = [await manual.take(a.id), await manual.take(b.id)];
      expect(await bench.job(ab.id)).toMatchObject({ state: "blocked", keys: ["b", "a"], seq: 2 });
      first.succeed();
      await bench.reaches(a.id, "done");
      expect((await bench.job(ab.id)).state).toBe("blocked");
      expect((await bench.job(a2.id)).state).toBe("blocked");
      second.succeed();
      const both = await manual.take(ab.id);
      expect((await bench.job(a2.id)).state).toBe("blocked");
      both.succeed();
      await manual.take(a2.id);
    });

    it("lets no job overtake another of its lane that is in back-off", async (bench) => {
      const queue = bench.queue<string>({ backoff: { delay: "3s" } });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [k1] = await queue.addMany(["k1", "k2"], { key: "k" });
      (await manual.take()).fail(new Error("no"));
      await bench.reaches(k1?.id as string, "scheduled");
      const other = await queue.add("other", { key: "o" });
      (await manual.take(other.id)).succeed();
      await bench.pass(2_500);
      expect(manual.started).toEqual(["k1", "other"]);
      await bench.pass(1_000);
      (await manual.take(k1?.id)).succeed();
      expect((await manual.take()).job.payload).toBe("k2");
    });

    it("continues with other lanes while a failed job holds one", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1 });
      const ran: string[] = [];
      await queue.work((job) => {
        if (job.payload === "bad") throw new Error("no");
        ran.push(job.payload);
      });
      const [bad, behind] = await queue.addMany(["bad", "behind"], { key: "held" });
      await bench.reaches(bad?.id as string, "failed");
      const rest = await queue.addMany(["x1", "x2", "y1"], (payload) => ({ key: payload[0] as string }));
      for (const { id } of rest) await bench.reaches(id, "done");
      expect((await bench.job(behind?.id as string)).state).toBe("blocked");
      await queue.skip(bad?.id as string, KIM);
      await bench.reaches(behind?.id as string, "done");
    });

    it("keeps the order of a lane whatever the priorities", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.addMany(["first", "urgent"], (payload) => ({
        key: "k",
        priority: payload === "urgent" ? 100 : 0,
      }));
      await queue.work(manual.handler, { places: 1 });
      (await manual.take()).succeed();
      (await manual.take()).succeed();
      expect(manual.started).toEqual(["first", "urgent"]);
    });
  });
}
