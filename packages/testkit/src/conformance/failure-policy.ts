import { DestinationDown } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Runs a lane with a failing job, one behind it and one in another lane, until the failing one has ended. */
async function failOne(
  bench: Bench,
  rules: Parameters<Bench["queue"]>[0],
  error: Error = Object.assign(new Error("no"), { code: "NOPE" }),
) {
  const queue = bench.queue<string>({ attempts: 1, ...rules });
  const manual = bench.manualHandler();
  await queue.work(manual.handler, { places: 1 });
  const [bad, behind] = await queue.addMany(["bad", "behind"], { keys: ["k", "second key"] });
  const other = await queue.add("other", { key: "o" });
  const call = await manual.take();
  await bench.pass(21);
  call.fail(error);
  return { queue, manual, bad: bad?.id as string, behind: behind?.id as string, other: other.id };
}

/** The effect of a final failure on the line (D4). */
export function describeFailurePolicy(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "failure policy", (it) => {
    it("stop-queue stops the queue and holds the lanes, in one transaction with the failure", async (bench) => {
      const { queue, manual, bad, behind } = await failOne(bench, {
        onFinalFailure: "stop-queue",
        stopReason: "WHY",
      });
      const failed = await bench.reaches(bad, "failed");
      expect(await queue.status()).toMatchObject({
        state: "stopped",
        stoppedAt: failed.finishedAt,
        stopReason: "WHY",
        stopActor: "system",
        stopJobId: bad,
      });
      expect((await queue.lanes({ held: true })).items.map((lane) => [lane.key, lane.held?.jobId])).toEqual([
        ["k", bad],
        ["second key", bad],
      ]);
      await bench.pass(2_000);
      expect(manual.started).toEqual(["bad"]);
      expect((await bench.job(behind)).state).toBe("blocked");
      const { items } = await bench.andon.audit();
      expect(items).toMatchObject([
        { actor: "system", action: "queue.stop", target: "queue:line", reason: "WHY" },
      ]);
    });

    it("hold-lane holds only the lanes of the job", async (bench) => {
      const { queue, bad, behind, manual } = await failOne(bench, { onFinalFailure: "hold-lane" });
      const failed = await bench.reaches(bad, "failed");
      expect((await manual.take()).job.payload).toBe("other");
      const held = { at: failed.finishedAt, kind: "failure", by: "system", reason: "NOPE", jobId: bad };
      expect((await queue.lanes({ held: true })).items).toMatchObject([
        { key: "k", held },
        { key: "second key", held },
      ]);
      expect(await queue.status()).toMatchObject({ state: "open", counts: { failed: 1, blocked: 1 } });
      expect((await bench.job(behind)).state).toBe("blocked");
    });

    it("cancel-rest cancels the jobs that wait in the lane, and later ones run", async (bench) => {
      const { queue, manual, bad, behind, other } = await failOne(bench, { onFinalFailure: "cancel-rest" });
      await bench.reaches(bad, "failed");
      expect(await bench.job(behind)).toMatchObject({ state: "cancelled", resolution: { actor: "system" } });
      (await manual.take(other)).succeed();
      const later = await queue.add("later", { key: "k" });
      (await manual.take(later.id)).succeed();
      expect((await queue.status()).state).toBe("open");
    });

    it("skip continues without the job", async (bench) => {
      const { queue, manual, bad, behind } = await failOne(bench, { onFinalFailure: "skip" });
      expect(await bench.reaches(bad, "skipped")).toMatchObject({ error: { code: "NOPE" }, attempts: 1 });
      (await manual.take(behind)).succeed();
      expect(await queue.status()).toMatchObject({ state: "open", counts: { skipped: 1, failed: 0 } });
      expect((await queue.lanes({ held: true })).total).toBe(0);
    });

    it("auto holds the lane for a fault of the job", async (bench) => {
      const { queue, bad } = await failOne(bench, {});
      await bench.reaches(bad, "failed");
      expect(await queue.status()).toMatchObject({ state: "open" });
      expect((await queue.lanes({ held: true })).total).toBe(2);
    });

    it("auto stops the queue for a fault of the destination", async (bench) => {
      const { queue, bad } = await failOne(bench, { probe: false }, new DestinationDown("no route to host"));
      await bench.reaches(bad, "failed");
      expect(await queue.status()).toMatchObject({ state: "stopped", stopJobId: bad });
    });

    it("asks the queue's own classifier whose fault it is", async (bench) => {
      const { queue, bad } = await failOne(bench, {
        probe: false,
        classify: (failure) => (failure.code === "NOPE" ? "destination" : "job"),
      });
      await bench.reaches(bad, "failed");
      expect((await queue.status()).state).toBe("stopped");
    });

    it("lets a function choose the policy by the error and the job", async (bench) => {
      const asked: unknown[] = [];
      const { bad, behind } = await failOne(bench, {
        onFinalFailure: (failure, job) => {
          asked.push([failure.code, failure.message, failure.fault, (failure.error as Error).name, job.name]);
          return failure.code === "NOPE" ? "skip" : "stop-queue";
        },
      });
      await bench.reaches(bad, "skipped");
      expect(asked).toContainEqual(["NOPE", "no", "job", "Error", "line"]);
      expect((await bench.job(behind)).state).not.toBe("blocked");
    });

    it("calls the function once for each final failure", async (bench) => {
      const asked: string[] = [];
      const { bad, queue } = await failOne(bench, {
        onFinalFailure: (_, job) => (asked.push(job.id) % 2 ? "skip" : "stop-queue"),
      });
      await bench.reaches(bad, "skipped");
      expect(asked).toEqual([bad]);
      expect((await queue.status()).state).toBe("open");
      expect(bench.errors).toEqual([]);
    });

    it("stops the queue if the function throws or returns an unknown policy", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 1,
        onFinalFailure: (failure) => {
          if (failure.message === "throws") throw new Error("bad rule");
          return failure.message as never;
        },
      });
      await queue.work((job) => {
        throw new Error(job.payload);
      });
      for (const payload of ["throws", "nonsense"]) {
        const { id } = await queue.add(payload);
        await bench.reaches(id, "failed");
        expect((await queue.status()).state).toBe("stopped");
        await queue.resume(KIM);
      }
    });

    it("attributes a fault to the job if the classifier throws", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 1,
        classify: () => {
          throw new Error("bad classifier");
        },
      });
      await queue.work(() => {
        throw new DestinationDown("away");
      });
      const { id } = await queue.add("x", { key: "k" });
      await bench.reaches(id, "failed");
      expect((await queue.status()).state).toBe("open");
      expect((await queue.lanes({ held: true })).total).toBe(1);
    });

    it("keeps the time and reason of the stop when another job fails afterwards", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "stop-queue" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [first, second] = await queue.addMany(["first", "second"], (payload) => ({ key: payload }));
      const [one, two] = [await manual.take(first?.id), await manual.take(second?.id)];
      one.fail(new Error("one"));
      await bench.reaches(first?.id as string, "failed");
      const stopped = await queue.status();
      await bench.pass(333);
      two.fail(new Error("two"));
      await bench.reaches(second?.id as string, "failed");
      const { counts, ...after } = await queue.status();
      expect(counts.failed).toBe(2);
      expect({ ...after, counts: stopped.counts }).toEqual(stopped);
      expect(after).toMatchObject({ state: "stopped", stopJobId: first?.id });
      expect((await queue.stops()).total).toBe(1);
      expect((await queue.lanes({ held: true })).total).toBe(2);
    });

    it("keeps a stop by hand unchanged when a job fails afterwards", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "stop-queue" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const call = await manual.take();
      await queue.stop(KIM);
      await bench.pass(10);
      call.fail(new Error("no"));
      await bench.reaches(id, "failed");
      expect(await queue.status()).toMatchObject({
        stopActor: "kim",
        stopReason: "looked into it",
        stopJobId: null,
      });
    });
  });
}
