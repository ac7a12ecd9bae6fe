import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** A person holds or releases a lane, or cancels its waiting jobs. */
export function describeHoldRelease(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "hold and release", (it) => {
    it("starts no job of a held lane while the others continue, and continues in order when released", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      const added = await queue.addMany(["a1", "a2", "b1", "b2"], (payload) => ({
        key: payload[0] as string,
      }));
      await bench.pass(12);
      const at = bench.clock.now();
      expect(await queue.hold("a", KIM)).toEqual({ changed: true });
      expect(await queue.hold("a", { actor: "lee" })).toEqual({ changed: false });
      const held = { at, kind: "hand", by: "kim", reason: "looked into it", jobId: null };
      expect((await queue.lanes({ held: true })).items).toEqual([
        { queue: "line", tenant: "default", key: "a", depth: 2, held },
      ]);
      expect((await bench.job(added[0]?.id as string)).state).toBe("blocked");
      await queue.add("a3", { key: "a" });
      await queue.work(manual.handler);
      for (const next of ["b1", "b2"]) (await manual.take()).succeed(next);
      await bench.pass(3_000);
      expect(manual.started).toEqual(["b1", "b2"]);
      expect(await queue.release("a", { actor: "lee", reason: "ok" })).toEqual({ changed: true });
      expect(await queue.release("a", KIM)).toEqual({ changed: false });
      for (let n = 0; n < 3; n++) (await manual.take()).succeed();
      expect(manual.started.slice(2)).toEqual(["a1", "a2", "a3"]);
      const { items } = await bench.andon.audit({ target: "lane:line/a" });
      expect(items).toMatchObject([
        { actor: "lee", action: "lane.release", reason: "ok", before: { held }, after: { held: null } },
        {
          actor: "kim",
          at,
          action: "lane.hold",
          reason: "looked into it",
          before: { held: null },
          after: { held },
        },
      ]);
    });

    it("lets a running job of the lane finish, and blocks it if it fails", async (bench) => {
      const queue = bench.queue<string>({ backoff: { delay: "2s" } });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [a1] = await queue.addMany(["a1", "a2"], { key: "a" });
      const [b1, b2] = await queue.addMany(["b1", "b2"], { key: "b" });
      const [first, second] = [await manual.take(a1?.id), await manual.take(b1?.id)];
      await queue.hold("a", KIM);
      await queue.hold("b", KIM);
      first.succeed();
      second.fail(new Error("no"));
      await bench.reaches(a1?.id as string, "done");
      await bench.passUntilState(b1?.id as string, "blocked");
      await bench.pass(5_000);
      expect(manual.started).toEqual(["a1", "b1"]);
      await queue.release("a", KIM);
      await queue.release("b", KIM);
      expect((await manual.take()).job.payload).toBe("a2");
      expect((await manual.take()).job.payload).toBe("b1");
      expect((await bench.job(b2?.id as string)).state).toBe("blocked");
    });

    it("holds a job that is first in the held lane but waits in another one", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const ahead = await queue.add("ahead", { key: "y" });
      const both = await queue.add("both", { keys: ["x", "y"] });
      const call = await manual.take(ahead.id);
      await queue.hold("x", KIM);
      call.succeed();
      await bench.reaches(ahead.id, "done");
      await bench.pass(2_000);
      expect((await bench.job(both.id)).state).toBe("blocked");
      await queue.release("x", KIM);
      expect((await manual.take()).job.id).toBe(both.id);
    });

    it("leaves a lane held by its failed job after a hold by hand is released", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [bad, next] = await queue.addMany(["bad", "next"], { key: "k" });
      const call = await manual.take();
      await queue.hold("k", KIM);
      call.fail(new Error("no"));
      await bench.reaches(bad?.id as string, "failed");
      await queue.release("k", KIM);
      expect((await queue.lanes({ held: true })).items).toMatchObject([
        { key: "k", held: { kind: "failure", jobId: bad?.id } },
      ]);
      await queue.skip(bad?.id as string, KIM);
      expect((await manual.take()).job.id).toBe(next?.id);
    });

    it("refuses to release a lane that a failed job holds, but lets a person hold it as well", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      await queue.work(() => {
        throw new Error("no");
      });
      const { id } = await queue.add("bad", { key: "k" });
      await bench.reaches(id, "failed");
      await expect(queue.release("k", KIM)).rejects.toMatchObject({
        code: "LANE_HELD_BY_FAILURE",
        status: 409,
      });
      expect(await queue.hold("k", KIM)).toEqual({ changed: true });
      await queue.retry(id, KIM);
      expect((await bench.job(id)).state).toBe("blocked");
      await queue.release("k", KIM);
      await bench.reaches(id, "failed");
    });

    it("keeps a scheduled job of a held lane waiting when its time has come", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const first = await queue.add("first", { key: "k" });
      (await manual.take()).succeed();
      await bench.reaches(first.id, "done");
      await queue.hold("k", KIM);
      const { id } = await queue.add("later", { key: "k", delay: "2s" });
      await bench.passUntilState(id, "blocked");
      await queue.release("k", KIM);
      expect((await manual.take()).job.id).toBe(id);
    });

    it("cancels all waiting jobs of a lane and nothing else", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [running, second, third] = await queue.addMany(["1", "2", "3"], { key: "k" });
      const shared = await queue.add("shared", { keys: ["k", "other"] });
      const other = await queue.add("other", { key: "other" });
      const call = await manual.take(running?.id);
      expect(await queue.cancelRest("k", KIM)).toEqual({ cancelled: 3 });
      for (const job of [second, third, shared])
        expect(await bench.job(job?.id as string)).toMatchObject({
          state: "cancelled",
          resolution: { actor: "kim" },
        });
      expect((await manual.take()).job.id).toBe(other.id);
      call.succeed();
      await bench.reaches(running?.id as string, "done");
      expect((await bench.andon.audit({ target: "lane:line/k" })).items).toMatchObject([
        {
          action: "lane.cancel-rest",
          before: { waiting: 3 },
          after: { cancelled: [second?.id, third?.id, shared.id] },
        },
      ]);
      expect(await queue.cancelRest("k", KIM)).toEqual({ cancelled: 0 });
    });

    it("holds a lane before its first job is added", async (bench) => {
      const queue = bench.queue<string>();
      expect(await queue.hold("k", KIM)).toEqual({ changed: true });
      const { id, seq } = await queue.add("x", { key: "k" });
      expect(seq).toBe(1);
      expect((await bench.job(id)).state).toBe("blocked");
      await queue.release("k", KIM);
      expect((await bench.job(id)).state).toBe("ready");
    });

    it("refuses to release or empty an unknown lane", async (bench) => {
      const queue = bench.queue();
      for (const decision of [() => queue.release("no", KIM), () => queue.cancelRest("no", KIM)])
        await expect(decision()).rejects.toMatchObject({ code: "LANE_NOT_FOUND", status: 404 });
    });
  });
}
