import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** A person stops and resumes a queue (A8, A12, W3). */
export function describeStopResume(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "stop and resume", (it) => {
    it("starts no job once stopped, lets running jobs finish, and continues when resumed", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      await queue.addMany(["first", "second"]);
      const first = await manual.take();
      await bench.pass(40);
      const stoppedAt = bench.clock.now();
      expect(await queue.stop(KIM)).toEqual({ changed: true, stoppedAt, reason: "looked into it" });
      expect(await queue.status()).toMatchObject({
        state: "stopped",
        epoch: 2,
        stoppedAt,
        stopReason: "looked into it",
        stopActor: "kim",
        stopJobId: null,
      });
      first.succeed();
      await bench.reaches(first.job.id, "done");
      await queue.add("third");
      await bench.pass(5_000);
      expect(manual.started).toEqual(["first"]);
      const resumedAt = bench.clock.now();
      expect(await queue.resume({ actor: "lee" })).toMatchObject({ changed: true, resumedAt, unresolved: 0 });
      expect((await manual.take()).job.payload).toBe("second");
      expect(await queue.status()).toMatchObject({
        state: "open",
        stoppedAt: null,
        stopReason: null,
        stopActor: null,
      });
      const [stop] = (await queue.stops()).items;
      const { items } = await bench.andon.audit({ target: "queue:line" });
      expect(items).toMatchObject([
        {
          actor: "lee",
          at: resumedAt,
          action: "queue.resume",
          reason: null,
          before: { state: "stopped", stop: stop?.id },
          after: { state: "open" },
        },
        {
          actor: "kim",
          at: stoppedAt,
          action: "queue.pause",
          reason: "looked into it",
          before: { state: "open", epoch: 1 },
          after: { state: "stopped", epoch: 2 },
        },
      ]);
    });

    it("has the reason MANUAL_PAUSE if none is given, also for a queue that was never used", async (bench) => {
      const queue = bench.queue();
      expect(await queue.stop({ actor: "kim", reason: "  " })).toMatchObject({
        changed: true,
        reason: "MANUAL_PAUSE",
      });
      expect((await queue.status()).stopReason).toBe("MANUAL_PAUSE");
      const fresh = bench.andon.queue("fresh");
      expect(await fresh.resume(KIM)).toMatchObject({ changed: false });
      expect(await bench.andon.queue("fresh-2").retryAll(KIM)).toEqual({ retried: 0 });
      expect(await bench.andon.queue("fresh-3").skipAllAndResume(KIM)).toMatchObject({
        skipped: 0,
        changed: false,
      });
    });

    it("keeps time, reason and actor of the first stop", async (bench) => {
      const queue = bench.queue();
      const first = await queue.stop({ actor: "kim", reason: "first" });
      await bench.pass(500);
      expect(await queue.stop({ actor: "lee", reason: "second" })).toEqual({ ...first, changed: false });
      expect(await queue.status()).toMatchObject({ stopReason: "first", stopActor: "kim", epoch: 2 });
      expect((await bench.andon.audit()).total).toBe(1);
      expect((await queue.stops()).total).toBe(1);
    });

    it("changes nothing when an open queue is resumed", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany([1, 2]);
      expect(await queue.resume(KIM)).toMatchObject({ changed: false, pending: 2, unresolved: 0 });
      expect((await bench.andon.audit()).total).toBe(0);
    });

    it("returns how many failed jobs are unresolved, whose lanes stay held", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "stop-queue" });
      await queue.work((job) => {
        if (job.payload === "bad") throw new Error("no");
      });
      const [bad, behind] = await queue.addMany(["bad", "behind"], { key: "k" });
      await bench.reaches(bad?.id as string, "failed");
      const other = await queue.add("other");
      expect(await queue.resume(KIM)).toMatchObject({ changed: true, unresolved: 1 });
      await bench.reaches(other.id, "done");
      expect((await bench.job(behind?.id as string)).state).toBe("blocked");
      expect((await queue.lanes({ held: true })).items).toMatchObject([
        { key: "k", held: { kind: "failure", jobId: bad?.id } },
      ]);
    });

    it("returns how many jobs waited, however soon a worker claims", async (bench) => {
      const queue = bench.queue<string>();
      await queue.stop(KIM);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      await queue.addMany(["first", "second"]);
      const transaction = bench.store.transaction.bind(bench.store);
      bench.store.transaction = async (verb, work, limitMs) => {
        const result = await transaction(verb, work, limitMs);
        if (verb !== "resume") return result;
        bench.store.signal({ kind: "work", queue: "line" });
        await manual.take();
        return result;
      };
      expect(await queue.resume(KIM)).toMatchObject({ changed: true, pending: 2 });
      manual.letGo();
    });

    it("costs a worker no claims for jobs that are added while it is stopped", async (bench) => {
      const queue = bench.queue<number>();
      const manual = bench.manualHandler();
      let claims = 0;
      const finishAndClaim = bench.store.finishAndClaim.bind(bench.store);
      bench.store.finishAndClaim = (request) => {
        if (request.want > 0) claims++;
        return finishAndClaim(request);
      };
      await queue.work(manual.handler, { places: 8 });
      await queue.stop(KIM);
      await queue.add(0);
      // This claim finds the queue stopped.
      await bench.settled();
      const before = claims;
      for (const n of [1, 2, 3, 4, 5]) {
        await queue.add(n);
        await bench.settled();
      }
      expect(claims).toBe(before);
      await (await bench.another()).queue("line").resume(KIM);
      const started: unknown[] = [];
      while (started.length < 6) started.push((await manual.take()).job.payload);
      expect(started).toEqual([0, 1, 2, 3, 4, 5]);
      manual.letGo();
    });

    it("refuses to resume with unresolved failed jobs if the queue requires their resolution", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 1,
        onFinalFailure: "stop-queue",
        resumeRequiresResolution: true,
      });
      await queue.work((job) => {
        if (job.payload === "bad") throw new Error("no");
      });
      const { id } = await queue.add("bad");
      await bench.reaches(id, "failed");
      await expect(queue.resume(KIM)).rejects.toMatchObject({
        code: "RESUME_UNRESOLVED",
        status: 409,
        details: { count: 1, jobs: [id] },
      });
      expect((await queue.status()).state).toBe("stopped");
      await queue.skip(id, KIM);
      expect(await queue.resume(KIM)).toMatchObject({ changed: true, unresolved: 0 });
    });

    it("counts every failed job that prevents a resume, and names a hundred", async (bench) => {
      const rules = { attempts: 1, onFinalFailure: "hold-lane" as const, resumeRequiresResolution: true };
      const queue = bench.queue<number>(rules);
      await queue.work(() => {
        throw new Error("no");
      });
      await queue.addMany(Array.from({ length: 120 }, (_, n) => n));
      await bench.passUntil("all have failed", async () => (await queue.status()).counts.failed === 120);
      await queue.stop(KIM);
      const refused = await queue.resume(KIM).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "RESUME_UNRESOLVED", details: { count: 120 } });
      expect((refused as { details: { jobs: string[] } }).details.jobs).toHaveLength(100);
    });

    it("counts jobs that wait for their turn as pending, not those that wait for a time", async (bench) => {
      const queue = bench.queue<number>();
      await queue.stop(KIM);
      await queue.addMany([1, 2], { key: "k" });
      await queue.addMany([3, 4], { delay: "1h" });
      expect(await queue.resume(KIM)).toMatchObject({ changed: true, pending: 2 });
    });

    it("keeps a stop over a restart of every process", async (bench) => {
      const queue = bench.queue();
      await queue.stop(KIM);
      await queue.add("x");
      const restarted = (await bench.another()).queue("line");
      const manual = bench.manualHandler();
      await restarted.work(manual.handler);
      await bench.pass(3_000);
      expect(manual.started).toEqual([]);
      expect((await restarted.status()).state).toBe("stopped");
    });
  });
}
