import type { StoreTx } from "@andon/engine";
import { expect, vi } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** More jobs than one transaction promotes. */
const MANY = 700;

/** Promotion of due jobs: all of them, once, in order, and no others. */
export function describePromotion(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "promotion", (it) => {
    it("promotes many that are due at once, each once and in order, in two processes", async (bench) => {
      const queue = bench.queue<number>();
      const there = (await bench.another()).queue<number>("line");
      await queue.addMany(
        Array.from({ length: MANY }, (_, n) => n),
        (n) => ({ delay: "5s", key: `lane-${n % 7}` }),
      );
      const starts: number[] = [];
      for (const worked of [queue, there])
        await worked.work((job) => void starts.push(job.payload), { places: 10 });
      await bench.pass(4_999);
      expect(starts).toEqual([]);
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === MANY);
      expect(new Set(starts).size).toBe(MANY);
      expect(starts).toHaveLength(MANY);
      for (let lane = 0; lane < 7; lane++) {
        const inLane = starts.filter((n) => n % 7 === lane);
        expect(inLane).toEqual([...inLane].sort((a, b) => a - b));
      }
    });

    it("orders jobs that became due while no worker ran by their times", async (bench) => {
      const queue = bench.queue<string>();
      for (const [name, delay] of [
        ["third", "30s"],
        ["first", "10s"],
        ["fourth", "40s"],
        ["second", "20s"],
      ] as const)
        await queue.add(name, { delay, key: "k" });
      await queue.add("before all", { key: "k" });
      bench.clock.jump(60_000);
      const starts: string[] = [];
      await queue.work((job) => void starts.push(job.payload));
      await bench.passUntil("all have started", () => starts.length === 5);
      expect(starts.filter((name) => name !== "before all")).toEqual(["first", "second", "third", "fourth"]);
      expect(starts[0]).toBe("before all");
    });

    it("continues in every other queue while one fails, and reports the failure once", async (bench) => {
      const [bad, good] = [bench.andon.queue<string>("bad"), bench.andon.queue<string>("good")];
      const { transaction } = bench.store;
      const failing = vi
        .spyOn(bench.store, "transaction")
        .mockImplementation(
          (verb, work, ...rest) =>
            transaction.call(
              bench.store,
              verb,
              (tx) => work(verb === "promote" ? refusing(tx, "bad") : tx),
              ...rest,
            ) as never,
        );
      await good.work(() => {});
      const stuck = await bad.add("x", { delay: "1s" });
      for (const delay of ["1s", "2s", "4s"])
        await bench.passUntilState((await good.add("x", { delay })).id, "done");
      expect((await bench.job(stuck.id)).state).toBe("scheduled");
      expect(bench.errors.splice(0)).toEqual([new Error("bad is refused")]);
      failing.mockRestore();
      await bench.passUntilState(stuck.id, "ready");
    });

    it("promotes a due job while its queue is stopped, and does not start it", async (bench) => {
      const queue = bench.queue<string>();
      const starts: string[] = [];
      await queue.work((job) => void starts.push(job.payload));
      const { id } = await queue.add("x", { delay: "5s" });
      await queue.stop(KIM);
      await bench.pass(10_000);
      expect((await bench.job(id)).state).toBe("ready");
      expect(starts).toEqual([]);
      await queue.resume(KIM);
      await bench.passUntilState(id, "done");
    });

    it("never starts a scheduled job that was cancelled", async (bench) => {
      const queue = bench.queue<string>();
      const starts: string[] = [];
      await queue.work((job) => void starts.push(job.payload));
      const [cancelled, kept] = [
        await queue.add("cancelled", { delay: "5s", key: "k" }),
        await queue.add("kept", { delay: "6s", key: "k" }),
      ];
      await bench.pass(1_000);
      expect(await queue.cancel(cancelled.id, KIM)).toEqual({ outcome: "cancelled" });
      expect((await queue.status()).counts).toMatchObject({ scheduled: 1, cancelled: 1 });
      await bench.pass(6_000);
      expect(starts).toEqual(["kept"]);
      expect((await bench.job(kept.id)).seq).toBe(1);
    });
  });
}

/** A transaction that cannot lock one of the queues. */
function refusing(tx: StoreTx, queue: string): StoreTx {
  return new Proxy(tx, {
    get(target, name) {
      const found = Reflect.get(target, name, target);
      if (name === "lockQueue")
        return async (asked: string, mode: "share" | "exclusive") => {
          if (asked === queue) throw new Error(`${queue} is refused`);
          return target.lockQueue(asked, mode as never);
        };
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}
