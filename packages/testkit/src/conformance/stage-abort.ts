import { commit, type JobRow, Park } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const STAGES = [{ name: "one", rollBack: true }, { name: "two" }];

/** An abort without a signal to the worker: only the statement that ends the claim finds it. */
async function wishAbort(bench: Bench, id: string): Promise<void> {
  await bench.store.transaction("test", async (tx) => {
    const { pos } = (await tx.job({ id })) as JobRow;
    await tx.wishAbort(pos, { by: KIM.actor, reason: null, requestedAt: tx.now(), noun: "job" });
  });
}

async function stagesOf(bench: Bench, id: string): Promise<string[]> {
  return (await bench.andon.stages(id)).map(({ name, status }) => `${name} ${status}`);
}

/** An accepted abort is carried out, whatever ends the claim. */
export function describeStageAbort(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "an abort of a job with stages", (it) => {
    const written: unknown[] = [];
    for (const [how, options, result] of [
      ["with the others of its worker", {}, "output"],
      ["in its lane", { key: "k" }, "output"],
      ["with writes", {}, commit((tx) => void written.push(tx), "output")],
    ] as const) {
      it(`is carried out when its stage ends ${how}, and a resume continues in the next stage`, async (bench) => {
        const queue = bench.queue<string>({ stages: STAGES });
        const manual = bench.manualHandler();
        await queue.work({ one: { run: manual.handler, rollBack: () => {} }, two: manual.handler });
        const { id } = await queue.add("a", options);
        const call = await manual.take(id);
        await wishAbort(bench, id);
        call.succeed(result);
        await bench.reaches(id, "aborted");
        expect(await bench.job(id)).toMatchObject({ stage: "two", outputs: { one: "output" }, attempts: 0 });
        expect((await bench.andon.stages(id))[0]).toMatchObject({ name: "one", status: "completed" });
        // A completed stage does not run again: its writes stay, and were made once.
        expect(written.splice(0)).toHaveLength(how === "with writes" ? 1 : 0);
        await queue.resumeJob(id, KIM);
        const next = await manual.take(id);
        expect(next.job).toMatchObject({ stage: "two", outputs: { one: "output" } });
        next.succeed();
        await bench.reaches(id, "done");
        expect(await stagesOf(bench, id)).toEqual(["one completed", "two completed"]);
      });
    }

    it("makes a stage that its signal stopped run again", async (bench) => {
      const queue = bench.queue<string>({ stages: STAGES });
      const manual = bench.manualHandler();
      await queue.work({ one: { run: manual.handler, rollBack: () => {} }, two: manual.handler });
      const { id } = await queue.add("a");
      const call = await manual.take(id);
      expect(await queue.abort(id, KIM)).toMatchObject({ outcome: "requested" });
      await bench.settled();
      expect(call.context.signal.reason).toMatchObject({ cause: "abort" });
      call.fail(new Error("aborted"));
      await bench.reaches(id, "aborted");
      await queue.resumeJob(id, KIM);
      expect((await manual.take(id)).job).toMatchObject({ stage: "one", outputs: {} });
    });

    it("takes precedence over parking, and ends it", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("a", { key: "k" });
      const call = await manual.take(id);
      await wishAbort(bench, id);
      call.fail(new Park("mail"));
      await bench.reaches(id, "aborted");
      await queue.resumeJob(id, KIM);
      (await manual.take(id)).fail(new Park("mail"));
      await bench.reaches(id, "parked");
      expect(await queue.abort(id, KIM)).toMatchObject({ outcome: "aborted" });
      expect(await bench.job(id)).toMatchObject({ state: "aborted", awaits: null });
      await bench.andon.arrive("mail", "too late for this wait");
      await queue.resumeJob(id, KIM);
      (await manual.take(id)).fail(new Park("mail"));
      const last = await manual.take(id);
      expect(last.context.arrival("mail")).toMatchObject({ payload: "too late for this wait" });
    });

    it("is refused while stages are rolled back, and does not stop a roll-back", async (bench) => {
      const queue = bench.queue<string>({ stages: STAGES });
      const manual = bench.manualHandler();
      let end = () => {};
      let signal: AbortSignal | undefined;
      const rollBack = (_job: unknown, context: { signal: AbortSignal }) => {
        signal = context.signal;
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      };
      await queue.work({ one: { run: manual.handler, rollBack }, two: manual.handler });
      const { id } = await queue.add("a");
      (await manual.take(id)).succeed();
      const call = await manual.take(id);
      await queue.cancel(id, KIM, { at: "boundary" });
      call.fail(new Error("no"));
      await bench.passUntil("it is rolled back", () => signal !== undefined);
      await expect(queue.abort(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE" });
      // An abort stored before the roll-back began, whose signal reaches the worker now.
      await wishAbort(bench, id);
      bench.store.signal({ kind: "cancel", worker: (await bench.job(id)).worker as string });
      await bench.settled();
      await bench.pass(10);
      expect(signal?.aborted).toBe(false);
      end();
      await bench.passUntilState(id, "cancelled");
      expect((await stagesOf(bench, id))[0]).toBe("one rolled-back");
    });
  });
}
