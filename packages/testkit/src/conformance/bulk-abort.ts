import { setImmediate as nextTurn } from "node:timers/promises";
import { parseQueueRules } from "@andon/contract";
import { bulk, type Claim, type FlagWish, type JobRow, type Store } from "@andon/engine";
import { abort, completionOf, giveBack } from "@andon/engine/verbs";
import { expect } from "vitest";
import { BulkSource, walkingAt } from "./bulk-source.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const LEE = { actor: "lee", reason: "database load" } as const;

async function auditOf(bench: Bench, id: string) {
  const { items } = await bench.andon.audit({ target: `job:${id}` });
  return items.map(({ action, actor, after }) => ({ action, actor, after })).reverse();
}

/** An operator stops a bulk job at a chunk boundary, at any moment (C2, C9, G8). */
export function describeBulkAbort(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "abort", (it) => {
    it("lets a running job finish its current chunk, whose commit reads the wish", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      const { id, letGo } = await walkingAt(bench, queue, source, 20);
      await wishUnheard(bench, id);
      letGo();
      await bench.reaches(id, "aborted");
      expect(await source.written(id)).toEqual(source.upTo(30));
      expect((await queue.bulkState(id))?.receipt).toMatchObject({ by: "lee", processed: 30, cursor: 30 });
    });

    it("starts no chunk after an abort, however close together they are", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      let entered: (letGo: () => void) => void = () => {};
      source.inWrite = async ([first]) => {
        if (first === 11) await new Promise<void>((letGo) => entered(letGo));
      };
      await queue.work(source.handler(), { places: 1 });
      for (const turns of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
        const written = new Promise<() => void>((resolve) => {
          entered = resolve;
        });
        const { id } = await queue.add("walk");
        const letGo = await written;
        letGo();
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        const begun = source.chunks.length;
        // The worker may stop before or after the answer is composed; where the walk stops is fixed.
        expect(["requested", "aborted"]).toContain((await queue.abort(id, LEE)).outcome);
        await bench.reaches(id, "aborted");
        expect(source.chunks).toHaveLength(begun);
        // SQLite blocks the event loop while a chunk is written: a request that waited for that takes some turns to
        // call its abort.
        if (bench.kind.name === "sqlite" && turns <= 2)
          expect(await source.written(id)).toEqual(source.upTo(20));
      }
    });

    it("stops a running job after its current chunk, and keeps a receipt", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      const { id, letGo } = await walkingAt(bench, queue, source, 20);
      const requestedAt = bench.clock.now();
      const answer = await queue.abort(id, LEE, { noun: "bulk" });
      expect(answer).toMatchObject({ outcome: "requested", receipt: null });
      expect(answer.stopsWithinMs).toBeGreaterThan(0);
      expect(await bench.andon.why(id)).toMatchObject({
        state: "running",
        rule: "job.aborting",
        facts: { by: "lee", reason: "database load", since: requestedAt },
      });
      expect(await queue.bulkState(id)).toMatchObject({
        abort: { by: "lee", reason: "database load", requestedAt },
        receipt: null,
      });
      bench.clock.jump(400);
      await bench.settled();
      letGo();
      const job = await bench.reaches(id, "aborted");
      const receipt = {
        outcome: "aborted",
        requestedAt,
        stoppedAt: requestedAt + 400,
        cursor: 20,
        processed: 20,
        total: 100,
        by: "lee",
        reason: "database load",
      };
      expect(job).toMatchObject({ cursor: 20, finishedAt: receipt.stoppedAt, attempts: 0, error: null });
      // The next chunk was already read when the wish arrived, and none of it was written.
      expect(await source.written(id)).toEqual(source.upTo(20));
      expect(source.chunks).toHaveLength(2);
      expect((await queue.bulkState(id))?.receipt).toEqual(receipt);
      expect(await bench.andon.why(id)).toMatchObject({ rule: "job.aborted", facts: { processed: 20 } });
      expect(await auditOf(bench, id)).toMatchObject([
        { action: "bulk.abort", actor: "lee", after: { requested: true } },
        { action: "bulk.aborted", actor: "lee", after: { state: "aborted", receipt } },
      ]);
      const events = await bench.store.read.jobEvents((await bench.job(id)).id, 50);
      expect(events.map(({ type }) => type).filter((type) => type.includes("abort"))).toEqual([
        "job.abort-requested",
        "job.aborted",
      ]);
      expect(await bench.andon.attempts(id)).toMatchObject([{ outcome: "aborted" }]);
    });

    it("keeps the time of the request, and writes one row if a flag requested the same before", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      const { id, letGo } = await walkingAt(bench, queue, source, 20);
      const requestedAt = bench.clock.now() - 5_000;
      const { pos } = (await bench.store.read.job({ id })) as JobRow;
      const wish = { by: LEE.actor, reason: LEE.reason ?? null, requestedAt, noun: "bulk" };
      const told = await bench.store.transaction("test", (tx) => tx.wishAbort(pos, wish));
      expect(told).toMatchObject({ isFirst: true, wish });
      await queue.abort(id, LEE, { noun: "bulk", requestedAt });
      expect(await auditOf(bench, id)).toEqual([]);
      await queue.abort(id, { actor: "park" }, { noun: "bulk", requestedAt: bench.clock.now() + 60_000 });
      expect(await auditOf(bench, id)).toMatchObject([{ action: "bulk.abort", actor: "park" }]);
      letGo();
      await bench.reaches(id, "aborted");
      expect((await queue.bulkState(id))?.receipt).toMatchObject({ by: "lee", requestedAt });
      const later = await queue.add("b", { delay: "1h" });
      await queue.abort(later.id, LEE, { requestedAt: bench.clock.now() + 60_000 });
      expect((await queue.bulkState(later.id))?.receipt?.requestedAt).toBe(bench.clock.now());
      await expect(queue.abort(later.id, LEE, { requestedAt: "now" as never })).rejects.toThrow(
        /requestedAt/,
      );
    });

    it("aborts a waiting job at once, and the next one of its lane runs", async (bench) => {
      const queue = bench.queue();
      const [first, second] = await queue.addMany(["a", "b"], { key: "category" });
      const later = await queue.add("c", { delay: "1h" });
      const answer = await queue.abort(first?.id as string, LEE);
      expect(answer).toMatchObject({
        outcome: "aborted",
        stopsWithinMs: 0,
        receipt: { by: "lee", cursor: null, processed: 0, total: null },
      });
      expect((await bench.job(second?.id as string)).state).toBe("ready");
      expect((await queue.abort(later.id, LEE)).outcome).toBe("aborted");
      expect(await auditOf(bench, later.id)).toMatchObject([
        { action: "job.abort", after: { state: "aborted", receipt: { by: "lee" } } },
      ]);
      expect(await queue.bulkState(later.id)).toMatchObject({ state: "aborted", receipt: { by: "lee" } });
    });

    it("frees the job's lanes when it stops, so that the next job of the lane runs", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 30);
      const { id, letGo } = await walkingAt(bench, queue, source, 10);
      const next = await queue.add("next", { key: "category" });
      await queue.abort(id, LEE);
      expect((await bench.job(next.id)).state).toBe("blocked");
      letGo();
      await bench.reaches(next.id, "done");
      expect((await bench.job(id)).state).toBe("aborted");
    });

    it("keeps the first of two operators' requests, and records both", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      const { id, letGo } = await walkingAt(bench, queue, source, 10);
      await queue.abort(id, LEE);
      const other = await bench.another();
      expect((await other.queue("line").abort(id, KIM)).outcome).toBe("requested");
      letGo();
      await bench.reaches(id, "aborted");
      expect((await queue.bulkState(id))?.receipt).toMatchObject({ by: "lee", reason: "database load" });
      expect((await auditOf(bench, id)).map(({ action, actor }) => `${action} ${actor}`)).toEqual([
        "job.abort lee",
        "job.abort kim",
        "job.aborted lee",
      ]);
    });

    it("refuses a job that has ended, and one of two operators who resume the same job", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 20);
      await queue.work(source.handler());
      const done = await queue.add("walk");
      await bench.reaches(done.id, "done");
      await expect(queue.abort(done.id, LEE)).rejects.toMatchObject({ code: "JOB_STATE", status: 409 });
      const { id } = await queue.add("later", { delay: "1h" });
      await queue.abort(id, LEE);
      await expect(queue.abort(id, LEE)).rejects.toMatchObject({ code: "JOB_STATE" });
      const other = (await bench.another()).queue("line");
      const both = await Promise.allSettled([queue.resumeJob(id, KIM), other.resumeJob(id, LEE)]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await expect(queue.abort(id, { ...LEE, tenant: "another" })).rejects.toMatchObject({
        code: "JOB_NOT_FOUND",
      });
    });

    it("leaves the receipt `done` if the last chunk commits first", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 30);
      const { id, letGo } = await walkingAt(bench, queue, source, 20);
      await wishUnheard(bench, id);
      letGo();
      await bench.reaches(id, "done");
      expect((await queue.bulkState(id))?.receipt).toMatchObject({
        outcome: "done",
        cursor: 30,
        processed: 30,
        total: 30,
        by: "lee",
      });
    });

    it("cuts a pause of the throttle short, also from another process", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      await queue.work(source.handler({ throttle: { pauseMs: "10m" } }));
      const { id } = await queue.add("walk");
      await bench.passUntil("the first chunk", async () => (await queue.bulkState(id))?.processed === 10);
      const askedAt = bench.clock.now();
      const other = await bench.another();
      await other.queue("line").abort(id, LEE);
      await bench.passUntilState(id, "aborted");
      expect((await queue.bulkState(id))?.receipt).toMatchObject({ processed: 10, requestedAt: askedAt });
      expect(bench.clock.now() - askedAt).toBeLessThan(4_000);
    });

    it("survives the worker: the job is aborted when it is taken back", async (bench) => {
      const queue = bench.queue();
      const { id } = await queue.add("x", { key: "category" });
      const claim = await claimOne(bench);
      await queue.abort(id, LEE);
      await giveBack(bench.store, DEFINITION, claim, "lost");
      expect((await bench.job(id)).state).toBe("aborted");
      expect((await queue.bulkState(id))?.receipt).toMatchObject({ by: "lee", processed: 0 });
    });

    it("is carried out if the claim ends at that moment without seeing it", async (bench) => {
      const queue = bench.queue();
      const back = await queue.add("goes back");
      const claim = await claimOne(bench);
      const store = beforeCheck(bench, () =>
        bench.store.transaction("test", async (tx) => {
          await tx.lockQueue("line", "exclusive");
          await tx.takeRunning(claim.pos, claim.fence);
          await tx.saveJobs([claim.pos], { fence: claim.fence });
          await tx.enterLine("line", [claim.pos]);
          tx.tally("line", { running: -1, ready: 1 });
        }),
      );
      expect(await abort(store, DEFINITION, back.id, LEE)).toMatchObject({
        outcome: "aborted",
        receipt: { by: "lee" },
      });
      expect((await bench.job(back.id)).state).toBe("aborted");
      expect((await auditOf(bench, back.id)).map(({ action }) => action)).toEqual([
        "job.abort",
        "job.aborted",
      ]);
      const done = await queue.add("finishes");
      const last = await claimOne(bench);
      const turn = {
        queue: "line",
        worker: "w",
        want: 0,
        limit: null,
        serial: false,
        rate: null,
        sharing: null,
      };
      const finishing = beforeCheck(bench, () =>
        bench.store.finishAndClaim({ ...turn, done: [completionOf(last, null)] }),
      );
      expect((await abort(finishing, DEFINITION, done.id, LEE)).outcome).toBe("done");
      expect((await queue.bulkState(done.id))?.receipt).toMatchObject({ outcome: "done", by: "lee" });
    });

    it("is seen by the successor before its first chunk", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 30);
      const { id } = await queue.add("walk");
      const { pos } = (await bench.store.read.job({ id })) as JobRow;
      // The state in which an operator's process leaves it that dies before it has checked the job.
      const wish = { by: "lee", reason: null, requestedAt: bench.clock.now(), noun: "job" };
      await bench.store.transaction("test", (tx) => tx.wishAbort(pos, wish));
      await queue.work(source.handler());
      await bench.reaches(id, "aborted");
      expect(source.chunks).toEqual([]);
    });

    it("survives a failed attempt: no back-off and no final failure follows", async (bench) => {
      const queue = bench.queue({ attempts: 1, onFinalFailure: "stop-queue" });
      const source = await BulkSource.open(bench, 30);
      source.inWrite = () => {
        throw new Error("refused");
      };
      const { id, letGo } = await walkingAt(bench, queue, source, 0);
      await wishUnheard(bench, id);
      letGo();
      await bench.reaches(id, "aborted");
      expect((await queue.status()).state).toBe("open");
      expect((await bench.job(id)).error).toBeNull();
    });

    it("survives a hand-back at shutdown", async (bench) => {
      const queue = bench.queue({ settleGrace: "1s" });
      const source = await BulkSource.open(bench, 30);
      const gate = source.standBefore(10);
      const leaving = await bench.another();
      await leaving.queue("line", { settleGrace: "1s" }).work(source.handler(), { grace: "1s" });
      const { id } = await queue.add("walk");
      await bench.passUntil("the second chunk", gate.reached);
      await queue.abort(id, LEE);
      const closing = leaving.close();
      await bench.pass(3_000);
      await closing;
      expect(await bench.job(id)).toMatchObject({ state: "aborted", cursor: 10 });
      gate.letGo();
    });

    it("reaches a job without chunks through its signal", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const call = await manual.take(id);
      await call.context.checkpoint("half-way");
      await queue.abort(id, LEE);
      await bench.passUntil("its signal is aborted", () => call.context.signal.aborted);
      expect(call.context.signal.reason).toMatchObject({ cause: "abort" });
      call.succeed("too late");
      expect(await bench.reaches(id, "aborted")).toMatchObject({ cursor: "half-way", result: null });
    });

    it("follows a flag outside the store, and records it", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 50);
      const asked: string[] = [];
      let wish: FlagWish | null = null;
      const flag = {
        asked: async (jobId: string) => {
          asked.push(jobId);
          return wish;
        },
      };
      source.inWrite = ([first]) => {
        if (first === 11)
          wish = { by: "lee", reason: "by flag", requestedAt: bench.clock.now(), noun: "bulk" };
      };
      await queue.work(bulk({ ...source.options(), flags: [flag] }));
      const { id } = await queue.add("walk");
      await bench.reaches(id, "aborted");
      expect(asked).toEqual([id, id, id]);
      expect((await queue.bulkState(id))?.receipt).toMatchObject({
        by: "lee",
        reason: "by flag",
        processed: 20,
      });
      expect((await auditOf(bench, id)).map(({ action }) => action)).toEqual(["bulk.abort", "bulk.aborted"]);
      // An old flag does not stop the job, which was resumed since.
      await bench.pass(1_000);
      await queue.resumeJob(id, KIM);
      await bench.reaches(id, "done");
    });

    it("ignores a flag that does not answer, fails, or is for another tenant", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 30);
      const wish = { by: "lee", reason: null, requestedAt: bench.clock.now() + 1, tenant: "another" };
      const flags = [
        { asked: () => new Promise<null>(() => {}) },
        { asked: () => Promise.reject(new Error("connection refused")) },
        { asked: async () => wish },
      ];
      await queue.work(bulk({ ...source.options(), flags }));
      const { id } = await queue.add("walk");
      const begunAt = bench.clock.now();
      await bench.passUntilState(id, "done");
      expect(await source.written(id)).toEqual(source.upTo(30));
      expect(bench.clock.now() - begunAt).toBeLessThanOrEqual(4 * 200 + 250);
    });
  });
}

/** An abort whose signal has not reached the worker yet. */
async function wishUnheard(bench: Bench, id: string): Promise<void> {
  const { pos } = (await bench.store.read.job({ id })) as JobRow;
  const wish = { by: LEE.actor, reason: LEE.reason, requestedAt: bench.clock.now(), noun: "job" };
  await bench.store.transaction("test", (tx) => tx.wishAbort(pos, wish));
}

const DEFINITION = { name: "line", rules: parseQueueRules("line", {}), hooks: {} };

async function claimOne(bench: Bench): Promise<Claim> {
  const turn = { queue: "line", worker: "w", done: [], want: 1, limit: null, serial: false };
  const { claims } = await bench.store.finishAndClaim({ ...turn, rate: null, sharing: null });
  return claims[0] as Claim;
}

/** The store, with a callback between the abort request and the check whether the job still runs. */
function beforeCheck({ store }: Bench, happens: () => Promise<unknown>): Store {
  const transaction: Store["transaction"] = async (verb, work, limitMs) => {
    if (verb === "abort-check") await happens();
    return store.transaction(verb, work, limitMs);
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "transaction") return transaction;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
