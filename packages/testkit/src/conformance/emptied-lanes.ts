import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const DAY = 86_400_000;

const lanesIn = async ({ andon }: Bench): Promise<string[]> => {
  const rows = await andon.transaction((tx) =>
    tx.query<{ lane_key: string }>("select lane_key from andon_lanes order by lane_key"),
  );
  return rows.map(({ lane_key }) => lane_key);
};

/** A transaction whose work is done and whose commit waits until it is released. */
async function openTransaction(work: (hold: () => Promise<void>) => Promise<unknown>) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const ended = work(async () => {
    reached();
    await held;
  });
  await Promise.race([isReached, ended]);
  return {
    commit: async () => {
      letGo();
      await ended;
    },
  };
}

/** Long enough for a transaction that can continue to do so. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/** A lane is deleted with its last stored job, and created again by the next. */
export function describeEmptiedLanes(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "lanes without jobs", (it) => {
    it("are deleted when none of their jobs is stored any more, and not before", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d", ended: "30d" } });
      const worker = await queue.work(() => {});
      const done = [await queue.add("x", { keys: ["a", "b"] }), await queue.add("x", { key: "a" })];
      for (const { id } of done) await bench.reaches(id, "done");
      await worker.close();
      const cancelled = await queue.add("x", { key: "a" });
      await queue.cancel(cancelled.id, KIM);
      // A job that never joined its lane had no place in it.
      const never = await queue.add("x", { key: "a", delay: "1h" });
      await queue.cancel(never.id, KIM);
      await queue.hold("h", KIM);
      expect(await lanesIn(bench)).toEqual(["a", "b", "h"]);

      bench.clock.jump(2 * DAY);
      expect(await queue.purge()).toBe(2);
      expect(await lanesIn(bench)).toEqual(["a", "h"]);
      const later = await queue.add("x", { key: "a" });
      expect((await bench.job(later.id)).seq).toBe(4);
      await queue.cancel(later.id, KIM);

      bench.clock.jump(40 * DAY);
      expect(await queue.purge()).toBe(3);
      expect(await lanesIn(bench)).toEqual(["h"]);
      const first = await queue.add("x", { key: "a" });
      expect(await bench.job(first.id)).toMatchObject({ seq: 1, state: "ready" });
    });

    it("are deleted too if a job left its place and took another", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "cancel-rest", keep: { done: "1d" } });
      let isMended = false;
      const worker = await queue.work(() => {
        if (!isMended) throw new Error("no");
      });
      const { id } = await queue.add("x", { key: "a" });
      await bench.reaches(id, "failed");
      isMended = true;
      await queue.retry(id, KIM);
      await bench.reaches(id, "done");
      await worker.close();
      bench.clock.jump(2 * DAY);
      expect(await queue.purge()).toBe(1);
      expect(await lanesIn(bench)).toEqual([]);
    });

    it("stay if a job is added to them while they are purged", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d" } });
      const worker = await queue.work(() => {});
      await bench.reaches((await queue.add("x", { key: "a" })).id, "done");
      await worker.close();
      bench.clock.jump(2 * DAY);
      let id = "";
      const adding = await openTransaction((hold) =>
        bench.andon.transaction(async (tx) => {
          ({ id } = await queue.add("x", { key: "a", tx }));
          await hold();
        }),
      );
      const purging = queue.purge();
      await pause();
      await adding.commit();
      expect(await purging).toBe(1);
      expect(await lanesIn(bench)).toEqual(["a"]);
      expect(await bench.job(id)).toMatchObject({ seq: 2, state: "ready" });
    });

    it("are created again by an add while they are deleted", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d" } });
      const worker = await queue.work(() => {});
      await bench.reaches((await queue.add("x", { key: "a" })).id, "done");
      await worker.close();
      bench.clock.jump(2 * DAY);
      const before = bench.clock.now() - DAY;
      const purging = await openTransaction((hold) =>
        bench.store.transaction("purge", async (tx) => {
          expect((await tx.purge(queue.name, "done", before, 10)).gone).toBe(1);
          await hold();
        }),
      );
      const adds = [queue.add("x", { key: "a" }), queue.hold("a", KIM)];
      await pause();
      await purging.commit();
      await Promise.all(adds);
      await queue.add("y", { key: "a" });
      const lanes = await queue.lanes();
      expect(lanes.items).toMatchObject([{ key: "a", depth: 2, held: { kind: "hand" } }]);
    });

    it("lose no job while many are created and deleted at once", async (bench) => {
      const queue = bench.queue<number>({ keep: { done: 0 } });
      const other = (await bench.another()).queue<number>("line", { keep: { done: 0 } });
      const order = new Map<string, number[]>();
      const worker = await queue.work((job) => {
        for (const key of job.keys) order.set(key, [...(order.get(key) ?? []), job.payload]);
      });
      const key = (n: number) => `k${n % 7}`;
      for (let round = 0; round < 20; round++) {
        bench.clock.jump(10);
        const adds = Array.from({ length: 10 }, (_, nth) => nth + round * 10);
        await Promise.all([
          queue.addMany(adds, (n) => ({ keys: [key(n), key(n + 3)] })),
          other.purge(),
          queue.purge(),
        ]);
      }
      // A completion that finds its lane locked is written later, by the store's clock, which stands still by itself.
      await eventually("all jobs are done", async () => {
        bench.clock.jump(10);
        return (await queue.status()).counts.done === 200;
      });
      await worker.close();
      for (const payloads of order.values()) expect(payloads).toEqual([...payloads].sort((a, b) => a - b));
      expect([...order.values()].flat()).toHaveLength(400);
      bench.clock.jump(10);
      await queue.purge();
      expect(await lanesIn(bench)).toEqual([]);
    });
  });
}
