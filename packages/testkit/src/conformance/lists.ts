import type { Queue } from "@andon/engine";
import { laneIds } from "@andon/engine";
import { expect, vi } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** Lists have pages, start with the next or the newest item, and know their totals (X10). */
export function describeLists(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "lists", (it) => {
    it("page waiting jobs in the order they will run", async (bench) => {
      const queue = bench.queue<string>();
      await queue.addMany(["r1", "r2", "urgent", "r3"], (payload) => ({
        priority: payload === "urgent" ? 5 : 0,
      }));
      await queue.addMany(["s2", "s1", "s3"], (payload) => ({ delay: Number(payload[1]) * 10_001 }));
      await queue.addMany(["head", "b1", "b2"], { key: "k" });
      const payloads = async (
        state: "ready" | "scheduled" | "blocked",
        page?: { page?: number; limit?: number },
      ) => {
        const { items, ...rest } = await queue.jobs(state, page);
        return { ...rest, items: items.map((job) => job.payload) };
      };
      expect(await payloads("ready")).toEqual({
        total: 5,
        page: 1,
        limit: 20,
        items: ["urgent", "r1", "r2", "r3", "head"],
      });
      expect(await payloads("ready", { page: 2, limit: 2 })).toEqual({
        total: 5,
        page: 2,
        limit: 2,
        items: ["r2", "r3"],
      });
      expect(await payloads("ready", { page: 4, limit: 2 })).toMatchObject({ total: 5, items: [] });
      expect(await payloads("scheduled")).toMatchObject({ total: 3, items: ["s1", "s2", "s3"] });
      expect(await payloads("blocked")).toMatchObject({ total: 2, items: ["b1", "b2"] });
    });

    it("put the newest blocked jobs first if there are very many", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany(
        Array.from({ length: 1_003 }, (_, n) => n),
        { key: "k" },
      );
      const { total, items } = await queue.jobs("blocked", { limit: 2, page: 2 });
      expect(total).toBe(1_002);
      expect(items.map((job) => job.payload)).toEqual([1_000, 999]);
    });

    it("page ended jobs newest first", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      await queue.work((job) => {
        if (job.payload.startsWith("bad")) throw new Error("no");
      });
      for (const payload of ["d1", "bad1", "d2", "bad2", "d3", "d4", "d5"]) {
        const { id } = await queue.add(payload);
        await bench.reaches(id, payload.startsWith("bad") ? "failed" : "done");
        await bench.pass(7);
      }
      const payloads = async (state: "done" | "failed", page?: { page?: number; limit?: number }) =>
        (await queue.jobs(state, page)).items.map((job) => job.payload);
      expect(await payloads("done")).toEqual(["d5", "d4", "d3", "d2", "d1"]);
      expect(await payloads("done", { page: 2, limit: 2 })).toEqual(["d3", "d2"]);
      expect(await payloads("done", { page: 3, limit: 2 })).toEqual(["d1"]);
      expect(await payloads("failed")).toEqual(["bad2", "bad1"]);
      expect(await queue.jobs("done", { limit: 1 })).toMatchObject({ total: 5, page: 1, limit: 1 });
    });

    it("page done jobs over claim log entries that finished many at once", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany(Array.from({ length: 57 }, (_, n) => n));
      await queue.work(() => {}, { places: 10 });
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 57);
      const seen: number[] = [];
      for (let page = 1; page <= 7; page++) {
        const { items, total } = await queue.jobs("done", { page, limit: 9 });
        expect(total).toBe(57);
        seen.push(...items.map((job) => job.payload));
      }
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 57 }, (_, n) => n));
    });

    it("return at most 100 items per page, and refuse invalid pages", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany(Array.from({ length: 120 }, (_, n) => n));
      expect((await queue.jobs("ready", { limit: 100 })).items).toHaveLength(100);
      expect((await queue.jobs("ready", { limit: 100, page: 2 })).items).toHaveLength(20);
      for (const page of [{ limit: 101 }, { limit: 0 }, { page: 0 }, { page: 1.5 }, { limit: "5" }]) {
        await expect(queue.jobs("ready", page as never)).rejects.toMatchObject({
          code: "INVALID_OPTION",
          status: 400,
        });
        await expect(queue.lanes({}, page as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
        await expect(queue.stops(page as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
        await expect(bench.andon.audit({}, page as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
      }
      await expect(queue.jobs("ready", { pagee: 2 } as never)).rejects.toThrow('Did you mean "page"?');
    });

    it("page lanes by key, and held ones by the time they were held", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial" });
      for (const key of ["b", "a", "c", "a"]) await queue.add(key, { key });
      for (const key of ["c", "b"]) {
        await bench.pass(3);
        await queue.hold(key, KIM);
      }
      const all = await queue.lanes();
      expect(all).toMatchObject({ total: 3, page: 1, limit: 20 });
      expect(all.items.map((lane) => [lane.key, lane.depth])).toEqual([
        ["a", 2],
        ["b", 1],
        ["c", 1],
      ]);
      const held = await queue.lanes({ held: true }, { limit: 1, page: 2 });
      expect(held).toMatchObject({ total: 2, items: [{ key: "b" }] });
    });

    it("page the audit log newest first, for all or for one target", async (bench) => {
      const queue = bench.queue();
      for (const actor of ["a", "b", "c"]) {
        await queue.stop({ actor });
        await bench.pass(2);
        await queue.resume({ actor });
        await bench.pass(2);
      }
      await queue.hold("k", KIM);
      const first = await bench.andon.audit({}, { limit: 2 });
      expect(first).toMatchObject({ total: 7, page: 1, limit: 2 });
      expect(first.items.map((row) => row.action)).toEqual(["lane.hold", "queue.resume"]);
      const ofQueue = await bench.andon.audit({ target: "queue:line" }, { page: 2, limit: 4 });
      expect(ofQueue).toMatchObject({ total: 6, items: [{ actor: "a" }, { actor: "a" }] });
      const [from, to] = [ofQueue.items[0]?.at ?? 0, first.items[0]?.at ?? 0];
      const between = await bench.andon.audit({ from, to });
      expect(between.total).toBe(5);
      expect(between.items.map((row) => row.actor)).toEqual(["c", "c", "b", "b", "a"]);
      const ofOne = await bench.andon.audit({ actor: "b", from, to });
      expect(ofOne).toMatchObject({
        total: 2,
        items: [{ action: "queue.resume" }, { action: "queue.pause" }],
      });
      expect(await bench.andon.audit({ actor: "b", to: from })).toMatchObject({ total: 0, items: [] });
    });

    it("count lanes, and held lanes separately", async (bench) => {
      const queue = bench.queue<number>();
      await queue.status();
      const keys = Array.from({ length: 1_001 }, (_, n) => `k${n}`);
      await bench.store.transaction("many lanes", (tx) => tx.ensureLanes("line", laneIds("default", keys)));
      for (const key of ["k1", "k2", "k2"]) await queue.hold(key, KIM);
      const deep = await queue.lanes({}, { page: 11, limit: 100 });
      expect(deep).toMatchObject({ total: 1_001, items: [{ key: "k999" }] });
      expect(deep.more).toBeUndefined();
      expect(await queue.lanes({ held: true })).toMatchObject({ total: 2 });
      await queue.release("k1", KIM);
      expect((await queue.overview()).heldLanes).toBe(1);
    });

    it("give the length of the audit log, and its first page", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany(Array.from({ length: 1_005 }, (_, n) => n));
      const { id } = await queue.plan({ action: "cancel", filter: {} }, KIM);
      await queue.apply(id, KIM);
      const rows = 1_006;
      const end = await bench.andon.audit({}, { page: 11, limit: 100 });
      expect(end).toMatchObject({ total: rows, page: 11 });
      expect(end.items).toHaveLength(6);
      const deep = await bench.andon.audit({ actor: KIM.actor }, { page: 11, limit: 100 });
      expect(deep).toMatchObject({ total: rows });
      expect(deep.items).toHaveLength(6);
      const few = await bench.andon.audit({ actor: KIM.actor, action: "plan.apply" });
      expect(few).toMatchObject({ total: 1 });
    });

    it("list the queues by name with their counts", async (bench) => {
      await bench.andon.queue("zeta").add(1);
      await bench.andon.queue("alpha").addMany([1, 2]);
      const queues = await bench.andon.queues();
      expect(queues.map(({ queue, counts }) => [queue, counts.ready])).toEqual([
        ["alpha", 2],
        ["zeta", 1],
      ]);
    });

    it("list all queues without a read for each, with the status of each", async (bench) => {
      const names = [...Array.from({ length: 30 }, (_, n) => `q${n}`), "stopped", "worked"].sort();
      const queues = names.map((name) => bench.andon.queue<number>(name));
      for (const [n, queue] of queues.entries()) await queue.addMany(Array(1 + (n % 4)).fill(n));
      const [stopped, worked] = queues.slice(-2) as [Queue<number>, Queue<number>];
      await stopped.stop(KIM);
      const worker = await worked.work(() => {});
      const { id } = await worked.add(0);
      await bench.reaches(id, "done");
      await worker.close();
      const ofOne = (["queue", "counts", "overview"] as const).map((name) =>
        vi.spyOn(bench.store.read, name),
      );
      const listed = await bench.andon.queues();
      const overviews = await bench.store.read.overviews(names, bench.clock.now());
      for (const read of ofOne) {
        expect(read).not.toHaveBeenCalled();
        read.mockRestore();
      }
      expect(listed).toEqual(await Promise.all(queues.map((queue) => queue.status())));
      expect([...overviews]).toEqual(
        await Promise.all(queues.map(async (queue) => [queue.name, await queue.overview()])),
      );
      expect(overviews.get("worked")?.donePerMinute).toBe((await worked.status()).counts.done);
      expect(await bench.store.read.overviews(["unknown"], 0)).toEqual(
        new Map([["unknown", { heldLanes: 0, oldestWaitingAt: null, donePerMinute: 0 }]]),
      );
    });
  });
}
