import type { JobState } from "@andon/contract";
import { Park, type Queue } from "@andon/engine";
import { type Bench, KIM } from "./harness.ts";

/** Under these rules a failed job named "skip" is skipped; any other holds its lane. */
export const ENDING_RULES = {
  attempts: 1,
  onFinalFailure: (_: unknown, job: { name: string }) => (job.name === "skip" ? "skip" : "hold-lane"),
} as const;

/** Brings a new job of a queue with `ENDING_RULES`, which has no worker, into the given state. */
export async function jobInState(bench: Bench, queue: Queue<unknown>, state: JobState): Promise<string> {
  const key = `lane of ${state}`;
  const add = async (options = {}) => (await queue.add({ to: state }, { key, ...options })).id;
  switch (state) {
    case "scheduled":
      return add({ delay: "1h" });
    case "blocked":
      await add();
      return add();
    case "ready":
      return add();
    case "running":
      return claim(bench, queue, await add({ priority: 1_000 }));
    case "done":
      return end(bench, queue, await add({ priority: 1_000 }));
    case "failed":
      return end(bench, queue, await add({ priority: 1_000 }), new Error("it could not be done"));
    case "skipped":
      return end(bench, queue, await add({ priority: 1_000, name: "skip" }), new Error("skip me"));
    case "cancelled": {
      const id = await add();
      await queue.cancel(id, KIM);
      return id;
    }
    case "resolved": {
      const id = await end(bench, queue, await add({ priority: 1_000 }), new Error("settled by hand"));
      await queue.skip(id, KIM);
      return id;
    }
    case "aborted": {
      const id = await add();
      await queue.abort(id, KIM);
      return id;
    }
    case "parked":
      return end(bench, queue, await add({ priority: 1_000 }), new Park("what never comes"));
  }
}

/** Claims as a worker that then disappears. */
async function claim(bench: Bench, queue: Queue<unknown>, id: string): Promise<string> {
  await bench.pass(60);
  const request = { queue: queue.name, worker: "somebody", done: [], want: 1, limit: null, serial: false };
  await bench.store.finishAndClaim({ ...request, rate: null, sharing: null });
  return id;
}

async function end(bench: Bench, queue: Queue<unknown>, id: string, error?: Error): Promise<string> {
  const manual = bench.manualHandler();
  await bench.pass(60);
  const worker = await queue.work(manual.handler, { places: 1 });
  const call = await manual.take(id);
  const closing = worker.close();
  if (error) call.fail(error);
  else call.succeed();
  await closing;
  return id;
}
