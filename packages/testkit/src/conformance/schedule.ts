import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** Jobs with a later time: they are promoted when it has come, or started at once by an operator. */
export function describeSchedule(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "schedule", (it) => {
    it("runs a job when its time has come and not before", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("later", { delay: "10s" });
      await bench.pass(9_999);
      const now = await queue.add("now");
      expect((await manual.take()).job.id).toBe(now.id);
      expect((await bench.job(id)).state).toBe("scheduled");
      await bench.pass(1);
      expect((await manual.take()).job.id).toBe(id);
    });

    it("joins its lane when its time has come, behind the jobs there, and blocks none before", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const later = await queue.add("later", { key: "k", delay: "5s" });
      const first = await queue.add("first", { key: "k" });
      const second = await queue.add("second", { key: "k" });
      expect([first.seq, second.seq]).toEqual([1, 2]);
      const call = await manual.take(first.id);
      await bench.passUntilState(later.id, "blocked");
      expect(await bench.job(later.id)).toMatchObject({ seq: 3, state: "blocked" });
      const fourth = await queue.add("fourth", { key: "k" });
      expect(fourth.seq).toBe(4);
      call.succeed();
      for (const expected of ["second", "later", "fourth"]) {
        const next = await manual.take();
        expect(next.job.payload).toBe(expected);
        next.succeed();
      }
    });

    it("promotes jobs in the order of their times, then of their adds", async (bench) => {
      const queue = bench.queue<string>();
      await queue.addMany(["c", "a", "b", "b2"], (payload) => ({
        key: "k",
        delay: { a: 1_001, b: 2_002, c: 3_003 }[payload[0] as "a" | "b" | "c"],
      }));
      await bench.pass(4_000);
      const order: string[] = [];
      await queue.work((job) => void order.push(job.payload));
      await bench.passUntil("all are done", () => order.length === 4);
      expect(order).toEqual(["a", "b", "b2", "c"]);
    });

    it("starts a scheduled job at once on an operator's request, with an audit row", async (bench) => {
      const queue = bench.queue<string>();
      const { id } = await queue.add("later", { key: "k", delay: "1h" });
      const due = (await bench.job(id)).runAt;
      await bench.pass(9);
      await queue.runNow(id, KIM);
      expect(await bench.job(id)).toMatchObject({ state: "ready", seq: 1 });
      expect((await bench.andon.audit({ target: `job:${id}` })).items).toMatchObject([
        {
          actor: "kim",
          action: "job.run-now",
          reason: "looked into it",
          before: { state: "scheduled", runAt: due },
          after: { state: "ready" },
        },
      ]);
      await queue.work(() => {});
      await bench.reaches(id, "done");
    });

    it("records that a job started now waits behind its lane", async (bench) => {
      const queue = bench.queue<string>();
      await queue.add("first", { key: "k" });
      const { id } = await queue.add("later", { key: "k", delay: "1h" });
      await queue.runNow(id, KIM);
      expect((await bench.job(id)).state).toBe("blocked");
      expect((await bench.andon.audit({ target: `job:${id}` })).items).toMatchObject([
        { before: { state: "scheduled" }, after: { state: "blocked" } },
      ]);
    });

    it("ends a back-off on an operator's request, at the job's place", async (bench) => {
      const queue = bench.queue<string>({ backoff: { delay: "1m" } });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [first, second] = await queue.addMany(["first", "second"], { key: "k" });
      (await manual.take()).fail(new Error("no"));
      await bench.reaches(first?.id as string, "scheduled");
      await queue.runNow(first?.id as string, KIM);
      const again = await manual.take();
      expect(again.job).toMatchObject({ id: first?.id, attempts: 1 });
      expect((await bench.job(second?.id as string)).state).toBe("blocked");
    });

    it("refuses to start a job that is not scheduled", async (bench) => {
      const queue = bench.queue<string>();
      const { id } = await queue.add("ready");
      await expect(queue.runNow(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE", status: 409 });
      await expect(queue.runNow("nobody", KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
    });

    it("is not early or late when the machine's clock is set: the store's time decides", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("later", { delay: "1h" });
      bench.clock.setWallClockBy(3_600_000);
      await bench.pass(1_000);
      expect((await manual.take()).job.id).toBe(id);
    });
  });
}
