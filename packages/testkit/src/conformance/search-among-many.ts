import type { JobFilter } from "@andon/engine";
import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** Searches over more jobs than a search reads, which say so (X10). */
export function describeSearchAmongMany(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "search among many", (it) => {
    it("says when it did not read all jobs", async (bench) => {
      const queue = bench.queue<number>();
      const many = Array.from({ length: 10_001 }, (_, n) => n);
      await queue.addMany(many, (n) => ({ name: n === 0 ? "first of all" : "later", tenant: "ann" }));
      expect(await bench.andon.search({ queue: "line" })).toMatchObject({ total: 10_001 });
      const found = await bench.andon.search({ name: "first of all" });
      expect(found).toMatchObject({ total: 0, more: true });
      expect(await bench.andon.search({ name: "later" })).toMatchObject({ more: true });
      expect(await bench.andon.search({ tenant: "ann" })).toMatchObject({ total: 10_000, more: true });
      const { counts, more } = await bench.store.read.countsOfScope("line", { tenant: "ann" });
      expect([counts.ready, more]).toEqual([1_000, true]);
    });

    it("finds a job that is done by its first key, however many others there are", async (bench) => {
      const queue = bench.queue<number>();
      const worker = await queue.work(() => {}, { places: 100 });
      const keys = ["file:7", `path:${"long/".repeat(80)}`];
      const [first] = await queue.addMany([0], { keys });
      const alone = await queue.add(0, { key: "file:7" });
      await queue.addMany(
        Array.from({ length: 1_200 }, (_, n) => n),
        (n) => ({ keys: [`file:7${n}`, `path:${n}`] }),
      );
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 1_202);
      await worker.close();
      await queue.addMany(Array.from({ length: 10_001 }, (_, n) => n));
      for (const filter of [{ key: "file:7" }, { key: "file:7", queue: "line" }]) {
        const { items } = await bench.andon.search(filter);
        expect(items.map((job) => job.id)).toEqual([alone.id, first?.id]);
      }
      const long = "x".repeat(200);
      const { id } = await queue.add(1, { key: long });
      expect((await bench.andon.search({ key: long })).items.map((job) => job.id)).toEqual([id]);
    });

    it("searches further, says how far it came, and ends when all jobs have been read", async (bench) => {
      const queue = bench.queue<number>();
      const [first] = await queue.addMany(
        Array.from({ length: 10_500 }, (_, n) => n),
        (n) => ({
          name: n === 0 ? "first of all" : n === 300 ? "second" : "later",
        }),
      );
      const { searchFurther } = bench.store.read;
      const top = Number.MAX_SAFE_INTEGER;
      const none = await searchFurther({ name: "first of all" }, top, 20);
      expect(none).toMatchObject({ items: [], searchedTo: expect.any(Number) });
      const found = await searchFurther({ name: "first of all", state: "ready" }, none.cursor ?? 0, 20);
      expect(found).toMatchObject({ items: [{ id: first?.id }], cursor: null });
      const page = await searchFurther({ queue: "line", name: "later" }, top, 2);
      const next = await searchFurther({ queue: "line", name: "later" }, page.cursor ?? 0, 2);
      const places = [...page.items, ...next.items].map((job) => job.pos);
      expect(new Set(places).size).toBe(4);
      expect(places).toEqual([...places].sort((a, b) => b - a));
    });

    it("reads all jobs if there are no more than it may count", async (bench) => {
      const queue = bench.queue<number>();
      const many = Array.from({ length: 2_500 }, (_, n) => n);
      await queue.addMany(many, (n) => ({ name: n === 0 ? "first of all" : "later", tenant: "ann" }));
      for (const [filter, total] of [
        [{ name: "first of all" }, 1],
        [{ name: "later" }, 2_499],
        [{ tenant: "ann" }, 2_500],
        [{ text: "LATER" }, 2_499],
        [{ tenant: "ann", name: "later", state: "ready" }, 2_499],
      ] as const) {
        const found = await bench.andon.search(filter);
        expect([filter, found.total, found.more]).toEqual([filter, total, undefined]);
      }
      const { counts, more } = await bench.store.read.countsOfScope("line", { tenant: "ann" });
      expect([counts.ready, more]).toEqual([2_500, false]);
    });

    it("continues from page to page, without losing or doubling a job", async (bench) => {
      const queue = bench.queue<number>();
      const added = await queue.addMany(
        Array.from({ length: 900 }, (_, n) => n),
        (n) => ({ name: n % 2 ? "odd" : "even", tenant: "ann" }),
      );
      for (const filter of [
        { name: "odd" },
        { name: "odd", queue: "line" },
        { name: "odd", tenant: "ann" },
      ]) {
        const seen: string[] = [];
        for (let page = 1, more = true; more; page++) {
          const { items, total } = await bench.andon.search(filter, { page, limit: 100 });
          expect(total).toBeGreaterThanOrEqual(seen.length + items.length);
          seen.push(...items.map((job) => job.id));
          more = items.length === 100;
        }
        const odd = added.filter((_, n) => n % 2 === 1).map((job) => job.id);
        expect(seen).toEqual(odd.reverse());
      }
    });

    it("lists a quiet queue behind a busy one newest first", async (bench) => {
      const quiet = bench.andon.queue<number>("quiet");
      const added = await quiet.addMany([1, 2, 3, 4], (n) => ({ delay: n === 2 ? "1h" : 0, key: "k" }));
      await bench.queue<number>().addMany(Array.from({ length: 700 }, (_, n) => n));
      const found = await bench.andon.search({ queue: "quiet" }, { limit: 3 });
      expect(found.total).toBe(4);
      expect(found.items.map((job) => job.id)).toEqual(
        added
          .slice(1)
          .map((job) => job.id)
          .reverse(),
      );
    });

    it("finds a tenant's done jobs among its newer jobs and other tenants' newer jobs", async (bench) => {
      const queue = bench.queue<string>();
      const worker = await queue.work(() => {}, { places: 50 });
      const [own] = await queue.addMany(["own"], { tenant: "ann" });
      await queue.addMany(
        Array.from({ length: 400 }, () => "of another"),
        { tenant: "bob" },
      );
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 401);
      await worker.close();
      await queue.addMany(
        Array.from({ length: 1_100 }, () => "waits"),
        (_, n) => ({ tenant: "ann", delay: 1_000 * (n + 60) }),
      );
      await queue.addMany(
        Array.from({ length: 700 }, () => "waits"),
        { tenant: "bob", delay: "1h" },
      );
      const found = await bench.andon.search({ tenant: "ann", state: "done" });
      expect(found.items.map((job) => job.id)).toEqual([own?.id]);
    });

    it("reads first the jobs created in the given time, then those around it", async (bench) => {
      const queue = bench.queue<number>();
      const [early] = await queue.addMany([0]);
      bench.clock.jump(10);
      const to = bench.clock.now();
      await queue.addMany(Array.from({ length: 1_100 }, (_, n) => n));
      const found = await bench.andon.search({ to, name: "line" });
      expect(found.items.map((job) => job.id)).toEqual([early?.id]);
    });

    it("finds jobs that an index has, however many newer jobs there are", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const worker = await queue.work(() => {
        throw new Error("an old failure");
      });
      const failed = await bench.reaches((await queue.add("fails")).id, "failed");
      await worker.close();
      const [first, second] = await queue.addMany(["a", "b"], { key: "old", tenant: "ann" });
      await queue.addMany(
        Array.from({ length: 10_001 }, () => "newer"),
        (_, n) => ({ tenant: `t${n % 9}` }),
      );
      const found = async (filter: JobFilter) => {
        const { items, more } = await bench.andon.search(filter);
        return [more ?? false, ...items.map((job) => job.id)];
      };
      expect(await found({ key: "old" })).toEqual([true, second?.id, first?.id]);
      expect(await found({ fingerprint: failed.error?.fingerprint })).toEqual([true, failed.id]);
      expect(await found({ text: failed.id.toUpperCase() })).toEqual([true, failed.id]);
      expect((await found({ text: first?.ticket, state: "ready" }))[1]).toBe(first?.id);
      expect(await found({ tenant: "ann", name: "line" })).toEqual([false, second?.id, first?.id]);
      expect(await found({ state: "blocked", tenant: "ann" })).toEqual([false, second?.id]);
      expect(await found({ state: "failed", text: "OLD fail" })).toEqual([false, failed.id]);
    });

    it("counts a tenant's failed jobs among its newer jobs", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const worker = await queue.work(() => {
        throw new Error("no");
      });
      const { id } = await queue.add("fails", { tenant: "ann" });
      await bench.reaches(id, "failed");
      await worker.close();
      await queue.addMany(
        Array.from({ length: 1_001 }, () => "waits"),
        { tenant: "ann" },
      );
      const { counts, more } = await bench.store.read.countsOfScope("line", { tenant: "ann" });
      expect(counts).toMatchObject({ failed: 1, ready: 1_001 });
      expect(more).toBe(false);
    });
  });
}
