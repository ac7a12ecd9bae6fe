import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** The reads of lanes and jobs that an app makes beside its own tables. */
export function describeReading(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "reading", (it) => {
    it("gives a lane's depth, hold and whether its head runs", async (bench) => {
      const queue = bench.queue<string>();
      const { reading } = bench.andon;
      const manual = bench.manualHandler();
      const added = await queue.addMany(["a1", "a2", "a3", "b1"], (payload) => ({
        key: payload[0] as string,
      }));
      await queue.hold("b", KIM);
      await queue.work(manual.handler);
      const running = await manual.take();
      const found = await reading.lanes(
        "line",
        ["a", "b", "nobody"].map((key) => ({ key })),
      );
      expect(found.sort((x, y) => (x.key < y.key ? -1 : 1))).toEqual([
        { queue: "line", tenant: "default", key: "a", depth: 3, held: null, isRunning: true },
        {
          queue: "line",
          tenant: "default",
          key: "b",
          depth: 1,
          held: { at: expect.any(Number), kind: "hand", by: "kim", reason: "looked into it", jobId: null },
          isRunning: false,
        },
      ]);
      expect(await reading.lanes("line", [])).toEqual([]);
      expect(await reading.lanes("another", [{ key: "a" }])).toEqual([]);
      running.succeed();
      await queue.release("b", KIM);
      for (let n = 0; n < 3; n++) (await manual.take()).succeed();
      for (const { id } of added) await bench.reaches(id, "done");
      expect(await reading.lanes("line", [{ key: "a" }])).toMatchObject([{ depth: 0, isRunning: false }]);
    });

    it("gives the jobs of a lane in order, from either end, with or without the failed one that holds it", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const { reading } = bench.andon;
      const ids = (await queue.addMany(["1", "2", "3", "4"], { keys: ["z", "a"] })).map(({ id }) => id);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      (await manual.take()).fail(new Error("no"));
      await bench.reaches(ids[0] as string, "failed");
      for (const key of ["z", "a"]) {
        const payloads = async (options?: Parameters<typeof reading.jobsOfLane>[2]) =>
          (await reading.jobsOfLane("line", { key }, options)).map(({ payload }) => payload);
        expect(await payloads()).toEqual(["1", "2", "3", "4"]);
        expect(await payloads({ limit: 2 })).toEqual(["1", "2"]);
        expect(await payloads({ limit: 2, end: "last" })).toEqual(["3", "4"]);
        expect(await payloads({ onlyOpen: true })).toEqual(["2", "3", "4"]);
        expect(await payloads({ onlyOpen: true, end: "last", limit: 4 })).toEqual(["2", "3", "4"]);
      }
      const [head, next] = await reading.jobsOfLane("line", { key: "a" });
      expect([head, next]).toEqual([
        await bench.andon.job(ids[0] as string),
        await bench.andon.job(ids[1] as string),
      ]);
      expect(await reading.jobsOfLane("line", { key: "nobody" })).toEqual([]);
    });

    it("lists lanes held by failed jobs, longest held first, by tenant and range of keys", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const { reading } = bench.andon;
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const failed: string[] = [];
      for (const [name, tenant] of [
        ["second", "red"],
        ["first", "default"],
        ["third", "red"],
      ] as const) {
        const { id } = await queue.add(name, { keys: [`file:${name}`, `path:${name}`], tenant });
        (await manual.take(id)).fail(new Error(`no ${name}`));
        await bench.reaches(id, "failed");
        await bench.pass(10);
        failed.push(id);
      }
      await queue.hold("file:by-hand", KIM);
      const files = { from: "file:", to: "file;" };
      const { items, ...page } = await reading.heldLanes({ queue: "line", keys: files });
      expect(page).toEqual({ total: 3, page: 1, limit: 20 });
      expect(items.map(({ key }) => key)).toEqual(["file:second", "file:first", "file:third"]);
      expect(items[0]).toMatchObject({
        depth: 1,
        held: { jobId: failed[0], kind: "failure" },
        job: { id: failed[0], state: "failed", error: { message: "no second" } },
      });
      expect(items.map(({ tenant }) => tenant)).toEqual(["red", "default", "red"]);
      const red = { queue: "line", keys: files, tenant: "red" };
      expect((await reading.heldLanes(red, { page: 2, limit: 1 })).items.map(({ key }) => key)).toEqual([
        "file:third",
      ]);
      expect(await reading.heldLanes({ queue: "line" })).toMatchObject({ total: 6 });
      await queue.retry(failed[0] as string, KIM);
      expect(await reading.heldLanes({ queue: "line", keys: files })).toMatchObject({ total: 2 });
      (await manual.take(failed[0])).succeed();
    });

    it("counts the jobs in a range of lanes once each", async (bench) => {
      const queue = bench.queue<string>();
      const { reading } = bench.andon;
      await queue.add("both", { keys: ["path:a/1", "path:a/2"] });
      await queue.add("one", { key: "path:a/1" });
      await queue.add("outside", { key: "path:b" });
      expect(await reading.countInLanes("line", { from: "path:a/", to: "path:a0" })).toBe(2);
      expect(await reading.countInLanes("line", { from: "path:c", to: "path:d" })).toBe(0);
    });

    it("finds jobs that have an earlier one in other lanes, by key and by range, unless a person must decide about that", async (bench) => {
      const queue = bench.queue<string>();
      const { reading } = bench.andon;
      const nothing = { from: "", to: "" };
      const [first] = await queue.addMany(["1"], { keys: ["path:a", "file:1"] });
      // More questions than one statement has room for.
      const later = await queue.addMany(
        Array.from({ length: 20 }, (_, n) => String(n)),
        (_, index) => ({ key: `file:later-${index}` }),
      );
      const questions = later.map(({ id }, index) => ({
        jobId: id,
        keys: index % 2 === 0 ? ["path:x", "path:a"] : [],
        range: index % 4 === 1 ? { from: "path:a", to: "path:b" } : nothing,
      }));
      const expected = later.filter((_, index) => index % 2 === 0 || index % 4 === 1).map(({ id }) => id);
      expect([...(await reading.withEarlier("line", questions))].sort()).toEqual(expected.sort());
      const own = { jobId: first?.id as string, keys: ["path:a", "file:later-0"], range: nothing };
      expect(await reading.withEarlier("line", [own])).toEqual(new Set());
      await queue.hold("file:1", KIM);
      expect(await reading.withEarlier("line", questions)).toEqual(new Set());
      await queue.release("file:1", KIM);
      expect((await reading.withEarlier("line", questions)).size).toBe(expected.length);
    });

    it("distinguishes lanes of two tenants with the same key", async (bench) => {
      const queue = bench.queue<string>();
      const { reading } = bench.andon;
      await queue.addMany(["1", "2"], { key: "path:a" });
      const { id } = await queue.add("3", { key: "path:a", tenant: "red" });
      await queue.hold("path:a", KIM, { tenant: "red" });
      const red = { tenant: "red", key: "path:a" };
      const found = await reading.lanes("line", [{ key: "path:a" }, red, { tenant: "blue", key: "path:a" }]);
      expect(found.sort((x, y) => y.depth - x.depth)).toMatchObject([
        { tenant: "default", key: "path:a", depth: 2, held: null },
        { tenant: "red", key: "path:a", depth: 1, held: { kind: "hand" } },
      ]);
      expect((await reading.jobsOfLane("line", red)).map((job) => job.id)).toEqual([id]);
      const range = { from: "path:", to: "path;" };
      expect(await reading.countInLanes("line", range)).toBe(2);
      expect(await reading.countInLanes("line", { ...range, tenant: "red" })).toBe(1);
      expect(await reading.countInLanes("line", { ...range, tenant: "blue" })).toBe(0);
      const asks = (tenant?: string) => ({ jobId: id, tenant, keys: ["path:a"], range });
      expect(await reading.withEarlier("line", [asks()])).toEqual(new Set([id]));
      expect(await reading.withEarlier("line", [asks("red")])).toEqual(new Set());
    });

    it("lists lanes held by jobs of an organisation", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      for (const organization of ["1", "2"]) {
        const { id } = await queue.add(organization, {
          key: `file:${organization}`,
          tenant: "red",
          organization,
        });
        (await manual.take(id)).fail(new Error("no"));
        await bench.reaches(id, "failed");
      }
      const held = (organization: string) =>
        bench.andon.reading.heldLanes({ queue: "line", tenant: "red", organization });
      expect(await held("2")).toMatchObject({ total: 1, items: [{ tenant: "red", key: "file:2" }] });
      expect(await held("3")).toMatchObject({ total: 0, items: [] });
    });

    it("sees the writes of its own transaction, and other readers do not", async (bench) => {
      const queue = bench.queue<string>();
      const { reading } = bench.andon;
      const { id: before } = await queue.add("before", { key: "k" });
      const outside = async () => ({
        jobs: (await reading.jobsOfLane("line", { key: "k" })).length,
        depth: (await reading.lanes("line", [{ key: "k" }]))[0]?.depth,
      });
      await bench.andon.transaction(async (tx) => {
        const { id } = await queue.add("inside", { key: "k", tx });
        expect(await reading.lanes("line", [{ key: "k" }], { tx })).toMatchObject([{ depth: 2 }]);
        expect((await reading.jobsOfLane("line", { key: "k" }, { tx, end: "last", limit: 1 }))[0]?.id).toBe(
          id,
        );
        expect((await reading.jobs([id, before, "nobody"], { tx })).map((job) => job.payload)).toEqual([
          "before",
          "inside",
        ]);
        expect(await reading.countInLanes("line", { from: "k", to: "l" }, { tx })).toBe(2);
        const question = { jobId: id, keys: ["k"], range: { from: "", to: "" } };
        expect(await reading.withEarlier("line", [question], { tx })).toEqual(new Set([id]));
        expect(await reading.heldLanes({ queue: "line" }, {}, { tx })).toMatchObject({ total: 0 });
        expect(await outside()).toEqual({ jobs: 1, depth: 1 });
      });
      expect(await outside()).toEqual({ jobs: 2, depth: 2 });
    });

    it("refuses invalid keys and ids", async ({ andon }) => {
      const refused = { code: "INVALID_OPTION" };
      await expect(andon.reading.lanes("line", "a" as never)).rejects.toMatchObject(refused);
      await expect(andon.reading.lanes("line", [{ key: 1 as never }])).rejects.toMatchObject(refused);
      await expect(andon.reading.jobs(["\0"])).rejects.toMatchObject(refused);
      await expect(andon.reading.jobsOfLane("line", { key: 1 as never })).rejects.toMatchObject(refused);
      const range = { from: 1 as never, to: "" };
      await expect(andon.reading.countInLanes("line", range)).rejects.toMatchObject(refused);
    });
  });
}
