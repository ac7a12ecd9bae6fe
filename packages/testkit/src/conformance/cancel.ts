import { JobAborted } from "@andon/engine";
import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** An operator no longer wants a job. */
export function describeCancel(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "cancel", (it) => {
    it("ends a waiting job at once and lets the next of its lane through", async (bench) => {
      const queue = bench.queue<string>();
      const [ready, blocked, last] = await queue.addMany(["ready", "blocked", "last"], { key: "k" });
      await bench.pass(10);
      expect(await queue.cancel(blocked?.id as string, { actor: "lee" })).toEqual({ outcome: "cancelled" });
      await bench.pass(10);
      expect(await queue.cancel(ready?.id as string, KIM)).toEqual({ outcome: "cancelled" });
      expect(await bench.job(ready?.id as string)).toMatchObject({
        state: "cancelled",
        finishedAt: bench.clock.now(),
        resolution: { actor: "kim", reason: "looked into it", at: bench.clock.now() },
      });
      expect(await bench.job(blocked?.id as string)).toMatchObject({
        resolution: { actor: "lee", reason: null },
      });
      expect((await bench.job(last?.id as string)).state).toBe("ready");
      const audit = await bench.andon.audit({ target: `job:${ready?.id}` });
      expect(audit.items).toMatchObject([
        {
          actor: "kim",
          action: "job.cancel",
          reason: "looked into it",
          before: { state: "ready" },
          after: { state: "cancelled" },
        },
      ]);
    });

    it("ends a scheduled job, which then never runs", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("later", { delay: "3s", key: "k" });
      await queue.cancel(id, KIM);
      await bench.pass(6_000);
      expect(manual.started).toEqual([]);
      expect((await bench.job(id)).state).toBe("cancelled");
    });

    it("ends a job in its back-off and lets the next of its lane through", async (bench) => {
      const queue = bench.queue<string>();
      await queue.work((job) => {
        if (job.payload === "bad") throw new Error("no");
      });
      const [bad, good] = await queue.addMany(["bad", "good"], { key: "k" });
      await bench.reaches(bad?.id as string, "scheduled");
      await queue.cancel(bad?.id as string, KIM);
      await bench.reaches(good?.id as string, "done");
      expect(await bench.job(bad?.id as string)).toMatchObject({ state: "cancelled", attempts: 1 });
    });

    it("reaches a running job through its signal and ends it when its handler has settled", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [running, next] = await queue.addMany(["running", "next"], { key: "k" });
      const id = running?.id as string;
      const call = await manual.take();
      expect(await queue.cancel(id, KIM)).toEqual({ outcome: "requested" });
      await bench.settled();
      expect(call.context.signal.reason).toEqual(expect.any(JobAborted));
      expect(call.context.signal.reason).toMatchObject({ cause: "cancel" });
      expect((await bench.job(id)).state).toBe("running");
      call.fail(new Error("stopped half-way"));
      expect(await bench.reaches(id, "cancelled")).toMatchObject({ attempts: 0, resolution: KIM });
      expect(await bench.andon.attempts(id)).toMatchObject([{ outcome: "cancelled", number: 1 }]);
      expect((await manual.take()).job.id).toBe(next?.id);
      const audit = await bench.andon.audit({ target: `job:${id}` });
      expect(audit.items).toMatchObject([
        { action: "job.cancel", before: { state: "running" }, after: { requested: true } },
      ]);
    });

    it("cancels a running job even if its handler then succeeds, and discards its result", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("running", { key: "k" });
      const call = await manual.take();
      await queue.cancel(id, KIM);
      await expect(call.context.checkpoint("half")).rejects.toMatchObject({ code: "CLAIM_LOST" });
      call.succeed("finished");
      expect(await bench.reaches(id, "cancelled")).toMatchObject({ result: null, cursor: null });
    });

    it("lets exactly one of a cancel and a completion win", async (bench) => {
      const queue = bench.queue<number>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const added = await queue.addMany([1, 2, 3, 4, 5, 6]);
      const calls = await manual.takeMany(6);
      const answers = added.map(({ id }) =>
        queue.cancel(id, KIM).then(
          () => "cancelled",
          () => "done",
        ),
      );
      for (const call of calls) call.succeed("finished");
      for (const [index, { id }] of added.entries()) {
        const answer = (await answers[index]) as "cancelled" | "done";
        expect(await bench.reaches(id, answer)).toMatchObject({
          result: answer === "done" ? "finished" : null,
        });
      }
    });

    it("cancels a job whose worker died before it could", async (bench) => {
      const queue = bench.queue({ lease: "2s", sweep: "1s" });
      const { id } = await queue.add("x");
      await bench.store.beat({
        id: "dead",
        host: "h",
        pid: 1,
        beat: 0,
        startedAt: 1,
        queues: ["line"],
        rules: {},
        beatAt: null,
        version: null,
        atWork: true,
      });
      await bench.store.finishAndClaim({
        queue: "line",
        worker: "dead",
        done: [],
        want: 1,
        limit: null,
        serial: false,
        rate: null,
        sharing: null,
      });
      expect(await queue.cancel(id, KIM)).toEqual({ outcome: "requested" });
      await queue.work(() => {});
      await bench.passUntilState(id, "cancelled");
      expect(await bench.andon.attempts(id)).toMatchObject([{ outcome: "cancelled", worker: "dead" }]);
    });

    it("refuses jobs that have ended, and unknown jobs", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      await queue.work((job) => {
        if (job.payload === "bad") throw new Error("no");
      });
      const [done, failed] = await queue.addMany(["good", "bad"]);
      await bench.reaches(done?.id as string, "done");
      await bench.reaches(failed?.id as string, "failed");
      for (const id of [done?.id as string, failed?.id as string]) {
        await expect(queue.cancel(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE", status: 409 });
      }
      await expect(queue.cancel("nobody", KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND", status: 404 });
      const elsewhere = await bench.andon.queue("elsewhere").add("x");
      await expect(queue.cancel(elsewhere.id, KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
      expect((await bench.andon.audit()).total).toBe(0);
    });
  });
}
