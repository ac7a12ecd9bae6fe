import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** One job per idempotency key, queue and tenant, however often and however fast it is added. */
export function describeIdempotency(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "idempotency", (it) => {
    it("returns the first job for a known key and stores nothing", async (bench) => {
      const queue = bench.queue();
      const first = await queue.add("first", { idempotencyKey: "event-1", key: "k" });
      const again = await queue.add("again", { idempotencyKey: "event-1", key: "other" });
      expect(first.isNew).toBe(true);
      expect(again).toEqual({ ...first, isNew: false });
      expect((await bench.job(first.id)).payload).toBe("first");
      expect((await queue.status()).counts.ready).toBe(1);
      expect((await queue.lanes()).items.map((lane) => lane.key)).toEqual(["k"]);
    });

    it("keeps the key after its job has ended", async (bench) => {
      const queue = bench.queue();
      const first = await queue.add("first", { idempotencyKey: "event-1" });
      await queue.work(() => {});
      await bench.reaches(first.id, "done");
      expect(await queue.add("again", { idempotencyKey: "event-1" })).toMatchObject({
        id: first.id,
        isNew: false,
      });
    });

    it("stores one of several with the same key in one batch, at the place of the first", async (bench) => {
      const queue = bench.queue<string>();
      await queue.add("known", { idempotencyKey: "b" });
      const added = await queue.addMany(["a", "b", "a2", "none", "c"], (payload) =>
        payload === "none" ? {} : { idempotencyKey: payload[0] as string },
      );
      expect(added.map((job) => job.isNew)).toEqual([true, false, false, true, true]);
      expect(added[2]?.id).toBe(added[0]?.id);
      const stored = (await queue.jobs("ready")).items.map((job) => job.payload);
      expect(stored).toEqual(["known", "a", "none", "c"]);
    });

    it("keeps tenants and queues apart", async (bench) => {
      const queue = bench.queue();
      const other = bench.andon.queue("other");
      const added = [
        await queue.add(1, { idempotencyKey: "k", tenant: "acme" }),
        await queue.add(2, { idempotencyKey: "k", tenant: "umbrella" }),
        await queue.add(3, { idempotencyKey: "k" }),
        await other.add(4, { idempotencyKey: "k" }),
      ];
      expect(added.every((job) => job.isNew)).toBe(true);
      expect(new Set(added.map((job) => job.id)).size).toBe(4);
      expect(await queue.add(5, { idempotencyKey: "k", tenant: "acme" })).toMatchObject({
        id: added[0]?.id,
        isNew: false,
      });
    });

    it("stores one job for fifty adds at once from two processes", async (bench) => {
      const here = bench.queue();
      const there = (await bench.another()).queue("line");
      const added = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          (n % 2 ? here : there).add(n, { idempotencyKey: "same", key: "k" }),
        ),
      );
      expect(new Set(added.map((job) => job.id)).size).toBe(1);
      expect(added.filter((job) => job.isNew)).toHaveLength(1);
      expect((await here.status()).counts.ready).toBe(1);
    });

    it("forgets a key whose transaction was rolled back", async (bench) => {
      const queue = bench.queue();
      const failing = bench.andon.transaction(async (tx) => {
        await queue.add("lost", { idempotencyKey: "k", tx });
        throw new Error("changed my mind");
      });
      await expect(failing).rejects.toThrow("changed my mind");
      expect(await queue.add("kept", { idempotencyKey: "k" })).toMatchObject({ isNew: true });
    });
  });
}
