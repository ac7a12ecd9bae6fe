import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** The certificate of a stop: who, why, what was in flight, the last job that started (G1). */
export function describeStopCertificate(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "stop certificate", (it) => {
    it("names the jobs in flight and the job that started last", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 3 });
      const started: { jobId: string; worker: string; startedAt: number }[] = [];
      for (const payload of ["a", "b", "c"]) {
        const { id } = await queue.add(payload);
        const call = await manual.take(id);
        started.push({
          jobId: id,
          worker: (await bench.job(id)).worker as string,
          startedAt: bench.clock.now(),
        });
        if (payload === "a") {
          call.succeed();
          await bench.reaches(id, "done");
        }
        await bench.pass(13);
      }
      await queue.add("waits", { delay: "1h" });
      await queue.stop(KIM);
      const { items, total } = await queue.stops();
      expect(total).toBe(1);
      const last = started.at(-1);
      expect(items[0]).toEqual({
        id: expect.any(String),
        queue: "line",
        epoch: 1,
        at: bench.clock.now(),
        kind: "hand",
        actor: "kim",
        reason: "looked into it",
        jobId: null,
        error: null,
        inFlight: started.slice(1),
        lastClaim: expect.any(Number),
        lastStarted: { jobId: last?.jobId, worker: last?.worker, at: last?.startedAt },
        resumedAt: null,
        resumedBy: null,
      });
      expect(await bench.andon.verifyStop(items[0]?.id as string)).toEqual({
        certificate: items[0],
        holds: true,
        inFeed: true,
        feedKept: true,
        violations: [],
      });
    });

    it("names the job and the error of a stop by failure, without the job that failed in flight", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 1,
        onFinalFailure: "stop-queue",
        stopReason: "NAS_SYNC_FAILED",
      });
      await queue.work(() => {
        throw Object.assign(new Error("disk full"), { code: "ENOSPC" });
      });
      const { id } = await queue.add("bad");
      await bench.reaches(id, "failed");
      const [stop] = (await queue.stops()).items;
      expect(stop).toMatchObject({
        kind: "failure",
        actor: "system",
        reason: "NAS_SYNC_FAILED",
        jobId: id,
        error: { code: "ENOSPC", message: "disk full" },
        inFlight: [],
        lastStarted: { jobId: id },
      });
      expect((await bench.andon.verifyStop(stop?.id as string)).holds).toBe(true);
    });

    it("still holds after the queue was resumed and continued, and names who resumed it", async (bench) => {
      const queue = bench.queue<string>();
      await queue.work(() => {});
      const before = await queue.add("before");
      await bench.reaches(before.id, "done");
      await queue.stop(KIM);
      await bench.pass(19);
      await queue.resume({ actor: "lee" });
      const resumedAt = bench.clock.now();
      const after = await queue.add("after");
      await bench.reaches(after.id, "done");
      await queue.stop({ actor: "park", reason: "again" });
      const { items } = await queue.stops();
      expect(items.map((stop) => [stop.actor, stop.epoch])).toEqual([
        ["park", 2],
        ["kim", 1],
      ]);
      expect(items[1]).toMatchObject({ resumedAt, resumedBy: "lee" });
      for (const { id } of items)
        expect(await bench.andon.verifyStop(id)).toMatchObject({ holds: true, violations: [] });
    });

    it("does not hold if a claim came after the stop, or if the stop is not in the feed", async (bench) => {
      const queue = bench.queue<string>();
      await queue.add("x");
      await queue.stop(KIM);
      const [stop] = (await queue.stops()).items;
      const id = stop?.id as string;
      const forge = (epoch: number) =>
        bench.andon.transaction((tx) =>
          tx.query(
            "insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started) values ('line', $1, 'rogue', $2, 1, 0, '1')",
            [epoch, bench.clock.now()],
          ),
        );
      await forge(1);
      expect(await bench.andon.verifyStop(id)).toMatchObject({
        holds: false,
        inFeed: true,
        feedKept: true,
        violations: [{ claim: expect.any(Number), epoch: 1, worker: "rogue" }],
      });
      await forge(2);
      expect((await bench.andon.verifyStop(id)).violations).toHaveLength(2);
      await bench.andon.transaction((tx) => tx.query("delete from andon_claim_log"));
      expect((await bench.andon.verifyStop(id)).holds).toBe(true);
      await bench.andon.transaction((tx) => tx.query("delete from andon_events"));
      expect(await bench.andon.verifyStop(id)).toMatchObject({ holds: false, inFeed: false });
    });

    it("starts no job after a final failure, however many workers claim", async (bench) => {
      const rules = { attempts: 1, onFinalFailure: "stop-queue" } as const;
      const queue = bench.queue<number>(rules);
      const others = [await bench.another(), await bench.another()];
      await queue.addMany(Array.from({ length: 300 }, (_, n) => n));
      const handler = async (job: { payload: number }) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (job.payload === 7) throw new Error("stop here");
      };
      await queue.work(handler, { places: 2 });
      for (const andon of others) await andon.queue<number>("line", rules).work(handler, { places: 2 });
      await bench.passUntil("the queue is stopped", async () => (await queue.status()).state === "stopped");
      await bench.pass(2_000);
      const [stop] = (await queue.stops()).items;
      expect(await bench.andon.verifyStop(stop?.id as string)).toMatchObject({ holds: true, violations: [] });
      const { counts } = await queue.status();
      expect(counts.running).toBe(0);
      expect(counts.ready).toBeGreaterThan(0);
    });

    it("is not found without a stop", async (bench) => {
      await expect(bench.andon.verifyStop("none")).rejects.toMatchObject({
        code: "STOP_NOT_FOUND",
        status: 404,
      });
    });
  });
}
