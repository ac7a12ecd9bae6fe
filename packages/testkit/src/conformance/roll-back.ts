import type { Job } from "@andon/contract";
import type { QueueHooks } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const STAGES = [
  { name: "one", rollBack: true },
  { name: "two" },
  { name: "three", rollBack: true },
  { name: "four" },
];

/** A queue whose stages the test controls; roll-backs are recorded in `undone`. */
async function staged(bench: Bench, rules: object = {}, hooks?: QueueHooks) {
  const queue = bench.queue<string>(
    { stages: STAGES, attempts: 2, backoff: { delay: "1s" }, ...rules },
    { hooks },
  );
  const manual = bench.manualHandler();
  const undone: string[] = [];
  let undo: (job: Job) => unknown = () => {};
  const rollBack = (job: Job) => {
    undone.push(`${job.stage} ${JSON.stringify(job.outputs[job.stage as string])}`);
    return undo(job);
  };
  const stage = { run: manual.handler, rollBack };
  const handlers = { one: stage, two: manual.handler, three: stage, four: manual.handler };
  const worker = await queue.work(handlers);
  const upTo = async (id: string, count: number) => {
    for (let n = 0; n < count; n++) {
      const call = await manual.take(id);
      call.succeed(call.job.stage);
    }
    return manual.take(id);
  };
  const letUndo = (how: typeof undo) => {
    undo = how;
  };
  return { queue, worker, handlers, manual, undone, upTo, letUndo };
}

/** A cancelled job rolls back its completed stages. */
export function describeRollBack(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "roll-back", (it) => {
    it("runs for completed stages in reverse after a cancel now, and the job is cancelled", async (bench) => {
      const { queue, undone, upTo } = await staged(bench);
      const [first, next] = await queue.addMany(["a", "b"], { key: "k" });
      const id = first?.id as string;
      const call = await upTo(id, 3);
      expect(await queue.cancel(id, KIM)).toEqual({ outcome: "requested" });
      await bench.settled();
      expect(call.context.signal.reason).toMatchObject({ cause: "cancel" });
      call.fail(new Error("aborted"));
      expect(await bench.passUntilState(id, "cancelled")).toMatchObject({
        resolution: KIM,
        cancelling: null,
      });
      expect(undone).toEqual(['three "three"', 'one "one"']);
      expect((await bench.andon.stages(id)).map(({ name, status }) => `${name} ${status}`)).toEqual([
        "one rolled-back",
        "two completed",
        "three rolled-back",
        "four cancelled",
      ]);
      await upTo(next?.id as string, 0);
      const types = (await bench.store.read.jobEvents(id, 100)).map(({ type }) => type);
      expect(types.filter((type) => type === "job.cancelled")).toHaveLength(1);
    });

    it("waits for the end of the stage after a cancel at the boundary, and rolls that stage back too", async (bench) => {
      const { queue, undone, upTo } = await staged(bench);
      const { id } = await queue.add("a");
      const call = await upTo(id, 2);
      expect(await queue.cancel(id, KIM, { at: "boundary" })).toEqual({ outcome: "requested" });
      await bench.pass(5_000);
      expect(call.context.signal.aborted).toBe(false);
      await call.context.checkpoint("half");
      expect(await bench.andon.why(id)).toMatchObject({ rule: "job.cancelling-at-boundary" });
      call.succeed("third");
      await bench.passUntilState(id, "cancelled");
      expect(undone).toEqual(['three "third"', 'one "one"']);
    });

    it("does not run at the boundary of a job without stages, which ends cancelled", async (bench) => {
      const queue = bench.andon.queue<string>("plain");
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("a");
      const call = await manual.take();
      await queue.cancel(id, KIM, { at: "boundary" });
      call.succeed("finished");
      expect(await bench.passUntilState(id, "cancelled")).toMatchObject({ result: null });
    });

    it("turns a cancel at the boundary into a cancel now, if that follows", async (bench) => {
      const { queue, undone, upTo } = await staged(bench);
      const { id } = await queue.add("a");
      const call = await upTo(id, 1);
      await queue.cancel(id, { actor: "lee" }, { at: "boundary" });
      await queue.cancel(id, KIM);
      await bench.settled();
      expect(call.context.signal.aborted).toBe(true);
      call.fail(new Error("aborted"));
      expect(await bench.passUntilState(id, "cancelled")).toMatchObject({ resolution: { actor: "lee" } });
      expect(undone).toEqual(['one "one"']);
    });

    it("runs while the job shows running, and another cancel changes nothing", async (bench) => {
      const { queue, undone, upTo, letUndo } = await staged(bench);
      let end = () => {};
      letUndo(() => new Promise<void>((resolve) => (end = resolve)));
      const { id } = await queue.add("a");
      const call = await upTo(id, 1);
      await queue.cancel(id, KIM);
      call.fail(new Error("aborted"));
      await bench.passUntil("it is rolled back", () => undone.length === 1);
      expect(await bench.job(id)).toMatchObject({ state: "running", cancelling: KIM });
      expect(await bench.andon.why(id)).toMatchObject({ rule: "job.rolling-back", facts: { stage: "one" } });
      expect((await bench.andon.stages(id))[0]).toMatchObject({ name: "one", status: "rolling-back" });
      expect(await queue.cancel(id, KIM)).toEqual({ outcome: "requested" });
      end();
      await bench.passUntilState(id, "cancelled");
      expect(undone).toHaveLength(1);
    });

    it("also runs for a job that waits for its next stage, its next attempt or an event", async (bench) => {
      const { queue, undone, upTo, manual } = await staged(bench);
      const failed = await queue.add("a");
      (await upTo(failed.id, 1)).fail(new Error("once"));
      await bench.reaches(failed.id, "scheduled");
      expect(await queue.cancel(failed.id, KIM)).toEqual({ outcome: "requested" });
      await bench.passUntilState(failed.id, "cancelled");
      expect(undone).toEqual(['one "one"']);
      const waiting = await queue.add("b");
      const call = await manual.take(waiting.id);
      await queue.stop(KIM);
      call.succeed("b's");
      await bench.reaches(waiting.id, "ready");
      expect(await queue.cancel(waiting.id, KIM)).toEqual({ outcome: "requested" });
      await queue.resume(KIM);
      await bench.passUntilState(waiting.id, "cancelled");
      expect(undone[1]).toBe('one "b\'s"');
    });

    it("does not run for a job without a completed stage that has one: the job is cancelled at once", async (bench) => {
      const { queue, undone } = await staged(bench);
      const { id } = await queue.add("a", { stages: ["two", "one"], delay: "1h" });
      expect(await queue.cancel(id, KIM)).toEqual({ outcome: "cancelled" });
      expect(undone).toEqual([]);
    });

    it("is retried when it fails; after its last attempt the hook is called and the job is cancelled", async (bench) => {
      const told: string[] = [];
      const hooks: QueueHooks = {
        rollBackFailed: (job, stage) => void told.push(`${job.id} ${stage} ${job.error?.code}`),
        cancelled: (job) => void told.push(`${job.id} ${job.state}`),
      };
      const { queue, undone, upTo, letUndo } = await staged(bench, {}, hooks);
      letUndo((job) => {
        if (job.stage === "three") throw Object.assign(new Error("gone"), { code: "GONE" });
      });
      const { id } = await queue.add("a");
      const call = await upTo(id, 3);
      await queue.cancel(id, KIM);
      call.fail(new Error("aborted"));
      await bench.passUntilState(id, "cancelled");
      expect(undone).toEqual(['three "three"', 'three "three"', 'one "one"']);
      expect(told).toEqual([`${id} three GONE`, `${id} cancelled`]);
      const events = await bench.store.read.jobEvents(id, 100);
      expect(events.find(({ type }) => type === "job.roll-back-failed")?.data).toMatchObject({
        stage: "three",
        code: "GONE",
        attempts: 2,
      });
      expect((await bench.andon.stages(id))[2]).toMatchObject({ name: "three", status: "roll-back-failed" });
    });

    it("is given back when its worker closes, and runs again: at least once", async (bench) => {
      const { queue, worker, handlers, undone, upTo, letUndo } = await staged(bench);
      letUndo(() => new Promise(() => {}));
      const { id } = await queue.add("a");
      const call = await upTo(id, 1);
      await queue.cancel(id, KIM);
      call.fail(new Error("aborted"));
      await bench.passUntil("it is rolled back", () => undone.length === 1);
      const closing = worker.close();
      await bench.pass(60_000);
      await closing;
      letUndo(() => {});
      await queue.work(handlers);
      await bench.passUntilState(id, "cancelled");
      expect(undone.length).toBeGreaterThanOrEqual(2);
    });

    it("lets exactly one of a cancel at the boundary and the completion win, and returns which", async (bench) => {
      const queue = bench.queue<number>({ stages: [{ name: "only", rollBack: true }] });
      const manual = bench.manualHandler();
      const undone: number[] = [];
      await queue.work({
        only: { run: manual.handler as never, rollBack: (job) => void undone.push(job.payload) },
      });
      const added = await queue.addMany([1, 2, 3, 4, 5, 6]);
      const calls = await manual.takeMany(6);
      const answers = added.map(({ id }) =>
        queue.cancel(id, KIM, { at: "boundary" }).then(
          () => "cancelled" as const,
          () => "done" as const,
        ),
      );
      for (const call of calls) call.succeed("finished");
      let cancelled = 0;
      for (const [index, { id }] of added.entries()) {
        const answer = (await answers[index]) as "cancelled" | "done";
        await bench.passUntilState(id, answer);
        if (answer === "cancelled") cancelled++;
      }
      expect(undone).toHaveLength(cancelled);
    });
  });
}
