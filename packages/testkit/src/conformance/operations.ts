import type { Decision } from "@andon/contract";
import { Andon, type Queue, type QueueOptions, type Store } from "@andon/engine";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** More jobs than one step handles, so that there are several steps. */
const MANY = 250;

/** Failed jobs, written by store steps: running and failing each of them would take most of the test. */
async function addFailed(bench: Bench, queue: Queue<number>, count: number, options = {}): Promise<string[]> {
  const added = await queue.addMany(
    Array.from({ length: count }, (_, n) => n),
    options,
  );
  await bench.store.transaction("test", async (tx) => {
    await tx.lockQueue(queue.name, "exclusive");
    const positions: number[] = [];
    for (const { id } of added) positions.push((await tx.job({ id }))?.pos as number);
    await tx.leaveReady(queue.name, positions);
    const error = { code: "NOPE", message: "no", fingerprint: "nope" };
    await tx.saveJobs(positions, { state: "failed", attempts: 1, finishedAt: tx.now(), error });
    await tx.recordEnded(positions, "failed", tx.now());
    tx.tally(queue.name, { ready: -count, failed: count });
  });
  return added.map(({ id }) => id);
}

/** A store whose operation steps wait for `letGo`, except for the first few. */
function stepByStep(store: Store, first = 0): { store: Store; letGo: () => void } {
  let left = first;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const transaction: Store["transaction"] = async (verb, work, limit) => {
    if (verb === "operation-step" && left-- <= 0) await gate;
    return store.transaction(verb, work, limit);
  };
  const stepping = new Proxy(store, {
    get: (_, name) => (name === "transaction" ? transaction : Reflect.get(store, name, store)),
  });
  return { store: stepping, letGo };
}

/** A stopped queue, in a process whose operation steps the test releases. */
async function decider(bench: Bench, options: QueueOptions<number> = {}, first = 0, rules = {}) {
  const { store, letGo } = stepByStep(bench.store, first);
  const andon = new Andon(store, { onError: (error) => bench.errors.push(error) });
  const queue = andon.queue<number>("line", { onFinalFailure: "hold-lane", ...rules }, options);
  await queue.stop(KIM);
  return { andon, queue, letGo };
}

async function rowsOf(bench: Bench, action: string): Promise<string[]> {
  const targets: string[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await bench.andon.audit({ action }, { page, limit: 100 });
    targets.push(...items.map((row) => row.target));
    if (targets.length >= total) return targets.sort();
  }
}

const targetsOf = (ids: readonly string[]) => ids.map((id) => `job:${id}`).sort();

/** Decisions over more jobs than one step takes (W25, A11, A13). */
export function describeOperations(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "decisions over many jobs", (it) => {
    it("retry all jobs failed so far, each once and with one audit row; later failures stay", async (bench) => {
      const { queue, letGo } = await decider(bench);
      const ids = await addFailed(bench, queue, MANY);
      const started = await queue.startRetryAll(KIM);
      expect(started).toMatchObject({ id: expect.any(String), total: MANY });
      const [later] = await addFailed(bench, queue, 1);
      expect(await bench.andon.operation(started.id as string)).toMatchObject({
        state: "RUNNING",
        done: 0,
        total: MANY,
      });
      letGo();
      expect(await started.finished).toEqual({ retried: MANY });
      expect((await queue.status()).counts).toMatchObject({ ready: MANY, failed: 1 });
      expect((await bench.job(later as string)).state).toBe("failed");
      expect(await rowsOf(bench, "job.retry")).toEqual(targetsOf(ids));
      expect(await rowsOf(bench, "queue.retry-all")).toEqual(["queue:line"]);
      expect(await bench.andon.operation(started.id as string)).toMatchObject({
        queue: "line",
        action: "retry-all",
        state: "DONE",
        done: MANY,
        leftOut: { count: 0, jobs: [] },
        actor: "kim",
        reason: KIM.reason,
      });
      const tickets = await bench.store.query<{ ticket: number }>("select ticket from andon_jobs");
      expect(new Set(tickets.map(({ ticket }) => ticket)).size).toBe(MANY + 1);
    });

    it("leave out and list a job that was settled before its turn", async (bench) => {
      const { queue, letGo } = await decider(bench);
      const ids = await addFailed(bench, queue, MANY);
      const plan = await queue.plan({ action: "retry", filter: {} }, KIM);
      const started = await queue.startApply(plan.id, KIM);
      const settled = ids.at(-1) as string;
      await queue.skip(settled, KIM);
      letGo();
      const leftOut = { count: 1, jobs: [settled] };
      expect(await started.finished).toMatchObject({ applied: MANY - 1, requested: 0, leftOut });
      expect(await bench.andon.operation(started.id as string)).toMatchObject({ done: MANY - 1, leftOut });
      expect((await bench.job(settled)).state).toBe("resolved");
      expect(await rowsOf(bench, "job.retry")).toEqual(targetsOf(ids.slice(0, -1)));
    });

    it("of a plan do nothing if one of many jobs has changed since", async (bench) => {
      const { queue } = await decider(bench);
      const ids = await addFailed(bench, queue, MANY);
      const plan = await queue.plan({ action: "skip", filter: {} }, KIM);
      await queue.retry(ids[200] as string, KIM);
      await expect(queue.apply(plan.id, KIM)).rejects.toMatchObject({
        code: "PLAN_STALE",
        details: { count: 1, jobs: [ids[200]] },
      });
      expect((await queue.status()).counts).toMatchObject({ failed: MANY - 1, resolved: 0 });
      expect((await bench.andon.findOperations()).total).toBe(0);
    });

    it("open the queue only when the last one is settled", async (bench) => {
      const seen: unknown[] = [];
      const hooks = { resolved: (_: unknown, __: unknown, found: unknown) => void seen.push(found) };
      const beforeSkip = async ({ payload }: { payload: unknown }) => `found ${payload}`;
      const { queue, letGo } = await decider(bench, { hooks, beforeSkip }, 1);
      await addFailed(bench, queue, MANY);
      const started = await queue.startSkipAllAndResume(KIM);
      await eventually("the first step", async () => (await queue.status()).counts.resolved > 0);
      expect((await queue.status()).state).toBe("stopped");
      letGo();
      expect(await started.finished).toMatchObject({ skipped: MANY, changed: true });
      expect(await queue.status()).toMatchObject({ state: "open", counts: { resolved: MANY, failed: 0 } });
      expect(seen.toSorted()).toEqual(Array.from({ length: MANY }, (_, n) => `found ${n}`).toSorted());
    });

    it("settle all but the one that a hook refuses, and then leave the queue stopped", async (bench) => {
      const refuse = (job: { payload: unknown }) => {
        if (job.payload === 120) throw new Error("not this one");
      };
      const { queue, letGo } = await decider(bench, { hooks: { resolved: refuse, retried: refuse } });
      const ids = await addFailed(bench, queue, MANY);
      letGo();
      const started = await queue.startSkipAllAndResume(KIM);
      await expect(started.finished).rejects.toThrow("not this one");
      expect(await queue.status()).toMatchObject({ state: "stopped", counts: { failed: 1 } });
      expect(await bench.andon.operation(started.id as string)).toMatchObject({
        state: "FAILED",
        done: MANY - 1,
        leftOut: { count: 1, jobs: [ids[120]] },
        problem: "not this one",
      });
      expect(await rowsOf(bench, "job.skip")).toEqual(targetsOf(ids.filter((_, n) => n !== 120)));
    });

    it("are continued by another process if theirs has died, and decide no job twice", async (bench) => {
      const { queue, letGo } = await decider(bench, {}, 1);
      const ids = await addFailed(bench, queue, MANY);
      const started = await queue.startRetryAll(KIM);
      // After its first step it stops, like a process that is suspended.
      await eventually("the first step", async () => (await queue.status()).counts.failed < MANY);
      const other = await bench.another();
      const there = other.queue<number>("line");
      await there.work(() => {});
      await bench.passUntil("another process has ended it", async () => {
        const operation = await bench.andon.operation(started.id as string);
        return operation?.state === "DONE";
      });
      expect(await rowsOf(bench, "job.retry")).toEqual(targetsOf(ids));
      letGo();
      expect(await started.finished).toEqual({ retried: MANY });
      expect(await rowsOf(bench, "job.retry")).toEqual(targetsOf(ids));
    });

    it("that purge are continued by another process, and delete exactly what was old when they were decided", async (bench) => {
      const { queue, letGo } = await decider(bench, {}, 1, { keep: { ended: 0.4 } });
      const ids = await addFailed(bench, queue, MANY);
      letGo();
      await queue.skipAllAndResume(KIM);
      bench.clock.jump(10);
      // The first three steps find no done, cancelled or skipped job; the fourth deletes the first resolved ones.
      const stopped = await decider(bench, {}, 4, { keep: { ended: 0.4 } });
      const started = await stopped.queue.startPurge({ actor: "kim", reason: "old" });
      await eventually("the first step", async () => (await queue.jobs("resolved")).total < MANY);
      const [kept = ""] = await addFailed(bench, queue, 1);
      await queue.skip(kept, KIM);
      const other = await bench.another();
      await other.queue<number>("line").work(() => {});
      await bench.passUntil("another process has ended it", async () => {
        const operation = await bench.andon.operation(started.id as string);
        return operation?.state === "DONE";
      });
      expect(await bench.andon.operation(started.id as string)).toMatchObject({ done: MANY, total: MANY });
      expect(await bench.andon.job(ids[0] as string)).toBeUndefined();
      expect((await bench.job(kept)).state).toBe("resolved");
      stopped.letGo();
      expect(await started.finished).toBe(MANY);
      expect(await rowsOf(bench, "queue.purge")).toEqual(["queue:line"]);
    });

    it("by rules of an app count a job decided just before the process died", async (bench) => {
      const few = 5;
      const rules = (queue: () => Queue<number>) => ({
        decideEach: { retry: (job: { id: string }, decision: Decision) => queue().retry(job.id, decision) },
      });
      const { queue } = await decider(
        bench,
        rules(() => queue),
      );
      const ids = await addFailed(bench, queue, few);
      const started = await queue.startRetryAll(KIM);
      // The first job is decided, and its position in the list is not stored.
      await eventually("the first decision", async () => (await queue.status()).counts.failed < few);
      const other = await bench.another();
      const there: Queue<number> = other.queue<number>(
        "line",
        {},
        rules(() => there),
      );
      await there.work(() => {});
      await bench.passUntil("another process has ended it", async () => {
        const operation = await bench.andon.operation(started.id as string);
        return operation?.state === "DONE";
      });
      const leftOut = { count: 0, jobs: [] };
      expect(await bench.andon.operation(started.id as string)).toMatchObject({ done: few, leftOut });
      expect(await rowsOf(bench, "job.retry")).toEqual(targetsOf(ids));
    });

    it("that delete a queue are continued by another process, and can be followed after the queue is gone", async (bench) => {
      const { andon, queue, letGo } = await decider(bench, {}, 1);
      await addFailed(bench, queue, MANY);
      const started = await andon.startDeleteQueue("line", KIM);
      expect(started).toMatchObject({ id: expect.any(String), total: MANY });
      await eventually("the first step", async () => (await queue.jobs("failed")).total < MANY);
      const other = await bench.another();
      other.queue<number>("line");
      await other.queue<number>("else").work(() => {});
      await bench.passUntil("another process has ended it", async () => {
        const operation = await bench.andon.operation(started.id as string);
        return operation?.state === "DONE";
      });
      expect(await bench.store.read.queue("line")).toBeUndefined();
      const ended = { action: "delete-queue", total: MANY, done: MANY, problem: null };
      expect(await bench.andon.operation(started.id as string)).toMatchObject(ended);
      letGo();
      expect(await started.finished).toBe(MANY);
      expect(await rowsOf(bench, "queue.delete")).toEqual(["queue:line"]);
    });

    it("are visible only to their own tenant, and to readers without a scope", async (bench) => {
      const { queue, letGo } = await decider(bench);
      await addFailed(bench, queue, MANY, { tenant: "ann" });
      letGo();
      const ann = { ...KIM, tenant: "ann" };
      const plan = await queue.plan({ action: "retry", filter: {} }, ann);
      const { id, finished } = await queue.startApply(plan.id, ann);
      await finished;
      expect(await bench.andon.operation(id as string, { tenant: "ann" })).toMatchObject({ id });
      expect(await bench.andon.operation(id as string)).toMatchObject({ id });
      expect(await bench.andon.operation(id as string, { tenant: "bob" })).toBeUndefined();
      expect((await bench.andon.findOperations({ tenant: "bob" })).total).toBe(0);
      expect((await bench.andon.findOperations({ tenant: "ann", queue: "line" })).items).toHaveLength(1);
    });
  });

  describeOn(kinds, "the rest of a lane, longer than one step", (it) => {
    it("is cancelled while the lane is held, and no job of it starts", async (bench) => {
      const { store, letGo } = stepByStep(bench.store);
      const andon = new Andon(store);
      const ran: number[] = [];
      const queue = andon.queue<number>("line");
      await queue.addMany(
        Array.from({ length: MANY }, (_, n) => n),
        { key: "k" },
      );
      const started = await queue.startCancelRest("k", KIM);
      expect(started.total).toBe(MANY);
      await bench.queue<number>().work((job) => void ran.push(job.payload));
      const held = { kind: "hand", by: `operation:${started.id}` };
      expect((await queue.lanes({ held: true })).items).toMatchObject([{ key: "k", held }]);
      await expect(queue.release("k", KIM)).rejects.toMatchObject({ code: "LANE_HELD_BY_OPERATION" });
      const { id: behind } = await queue.add(MANY, { key: "k" });
      letGo();
      expect(await started.finished).toEqual({ cancelled: MANY });
      await bench.reaches(behind, "done");
      expect(ran).toEqual([MANY]);
      expect((await queue.lanes({ held: true })).total).toBe(0);
      expect(await rowsOf(bench, "job.cancel")).toHaveLength(MANY);
      expect(await rowsOf(bench, "lane.cancel-rest")).toEqual(["lane:line/k"]);
    });

    it("is cancelled with the failed job before it, which holds the lane to the end", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "hold-lane" });
      const ran: number[] = [];
      await queue.work((job) => {
        ran.push(job.payload);
        if (job.payload === 0) throw new Error("no");
      });
      const added = await queue.addMany(
        Array.from({ length: MANY + 1 }, (_, n) => n),
        { key: "k" },
      );
      const bad = added[0]?.id as string;
      await bench.reaches(bad, "failed");
      expect(await queue.skipWithRest(bad, KIM)).toEqual({ cancelled: MANY });
      expect((await queue.status()).counts).toMatchObject({ resolved: 1, cancelled: MANY, blocked: 0 });
      expect(ran).toEqual([0]);
      expect(await rowsOf(bench, "job.skip")).toEqual([]);
      expect(await rowsOf(bench, "job.skip-with-rest")).toEqual([`job:${bad}`]);
    });

    it("is cancelled by the policy cancel-rest, and later jobs of the lane run", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "cancel-rest" });
      const ran: number[] = [];
      await queue.work((job) => {
        ran.push(job.payload);
        if (job.payload === 0) throw new Error("no");
      });
      const added = await queue.addMany(
        Array.from({ length: MANY + 1 }, (_, n) => n),
        { key: "k" },
      );
      await bench.reaches(added.at(-1)?.id as string, "cancelled");
      const { id } = await queue.add(-1, { key: "k" });
      await bench.reaches(id, "done");
      expect(ran).toEqual([0, -1]);
      expect((await queue.status()).counts).toMatchObject({ failed: 1, cancelled: MANY, done: 1 });
      expect((await queue.lanes({ held: true })).total).toBe(0);
      const { items } = await bench.andon.findOperations({ queue: "line" });
      expect(items).toMatchObject([{ action: "cancel-rest-after-failure", actor: "system", state: "DONE" }]);
    });
  });
}
