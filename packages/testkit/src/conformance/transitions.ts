import { JOB_STATES, type JobState, parseQueueRules } from "@andon/contract";
import {
  type Claim,
  DestinationDown,
  JOB_TRANSITIONS,
  type JobEvent,
  type Queue,
  Snooze,
} from "@andon/engine";
import { postpone } from "@andon/engine/verbs";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";
import { ENDING_RULES, jobInState } from "./job-in-state.ts";
import { STAGE_WALKS } from "./stage-walks.ts";

type Arrow = `${JobEvent}: ${JobState} → ${JobState}`;

/** Creates a job and takes it along one transition; the test checks its state before and after. */
type Walk = (bench: Bench, queue: Queue<unknown>, look: (id: string) => Promise<void>) => Promise<string>;

/** A running job with its handler call. */
async function running(bench: Bench, queue: Queue<unknown>, options = {}) {
  const manual = bench.manualHandler();
  await queue.work(manual.handler);
  const { id } = await queue.add("x", { key: "k", ...options });
  return { id, call: await manual.take(id) };
}

async function endedBy(
  bench: Bench,
  queue: Queue<unknown>,
  look: (id: string) => Promise<void>,
  error: Error,
  options = {},
) {
  const { id, call } = await running(bench, queue, options);
  await look(id);
  call.fail(error);
  await bench.settled();
  return id;
}

const cancelFrom =
  (state: JobState): Walk =>
  async (bench, queue, look) => {
    const id = await jobInState(bench, queue, state);
    await look(id);
    await queue.cancel(id, KIM);
    return id;
  };

const abortFrom =
  (state: JobState): Walk =>
  async (bench, queue, look) => {
    const id = await jobInState(bench, queue, state);
    await look(id);
    await queue.abort(id, KIM);
    return id;
  };

/** Resumes a job behind another one of its lane, or before its time. */
const resumeFrom =
  (state: "aborted" | "failed", to: "ready" | "blocked" | "scheduled"): Walk =>
  async (bench, queue, look) => {
    const id =
      to === "scheduled" ? await endedEarly(bench, queue, state) : await jobInState(bench, queue, state);
    if (to === "blocked") await queue.add("before it", { key: `lane of ${state}` });
    await look(id);
    await queue.resumeJob(id, KIM);
    return id;
  };

async function endedEarly(bench: Bench, queue: Queue<unknown>, state: "aborted" | "failed") {
  const { id } = await queue.add("x", { delay: "1h" });
  if (state === "aborted") await queue.abort(id, KIM);
  else {
    await queue.runNow(id, KIM);
    const manual = bench.manualHandler();
    const worker = await queue.work(manual.handler);
    (await manual.take(id)).fail(new Error("no"));
    await bench.reaches(id, "failed");
    await worker.close();
  }
  return id;
}

/** A job that is due behind another one of its lane. */
const dueBehind =
  (move: (bench: Bench, queue: Queue<unknown>, id: string) => Promise<unknown>): Walk =>
  async (bench, queue, look) => {
    await queue.hold("k", KIM);
    const { id } = await queue.add("x", { key: "k", delay: "1s" });
    await look(id);
    await move(bench, queue, id);
    return id;
  };

const letItBeDue = async (bench: Bench, queue: Queue<unknown>) => {
  await queue.stop(KIM);
  await queue.work(() => {});
  await bench.pass(2_000);
};

const WALKS: Record<Arrow, Walk> = {
  ...STAGE_WALKS,
  "due: scheduled → ready": async (bench, queue, look) => {
    const { id } = await queue.add("x", { delay: "1s" });
    await look(id);
    await letItBeDue(bench, queue);
    return id;
  },
  "due: scheduled → blocked": dueBehind((bench, queue) => letItBeDue(bench, queue)),
  "admit: blocked → ready": async (_, queue, look) => {
    const [first, second] = await queue.addMany(["a", "b"], { key: "k" });
    await look(second?.id as string);
    await queue.cancel(first?.id as string, KIM);
    return second?.id as string;
  },
  "block: ready → blocked": async (_, queue, look) => {
    const { id } = await queue.add("x", { key: "k" });
    await look(id);
    await queue.hold("k", KIM);
    return id;
  },
  "block: scheduled → blocked": async (bench, queue, look) => {
    const { id, call } = await running(bench, queue);
    call.fail(new Snooze(60_000));
    await bench.reaches(id, "scheduled");
    await look(id);
    await queue.hold("k", KIM);
    return id;
  },
  "claim: ready → running": async (bench, queue, look) => {
    const { id } = await queue.add("x");
    await look(id);
    const manual = bench.manualHandler();
    await queue.work(manual.handler);
    await manual.take(id);
    return id;
  },
  "complete: running → done": async (bench, queue, look) => {
    const { id, call } = await running(bench, queue);
    await look(id);
    call.succeed();
    await bench.reaches(id, "done");
    return id;
  },
  "retryLater: running → scheduled": async (bench, _, look) => {
    const retrying = bench.andon.queue("retrying", { attempts: 2 });
    return endedBy(bench, retrying, look, new Error("no"));
  },
  "snooze: running → scheduled": (bench, queue, look) => endedBy(bench, queue, look, new Snooze(60_000)),
  "postpone: running → scheduled": async (bench, queue, look) => {
    const { id } = await queue.add("x", { key: "k" });
    const request = { queue: "line", worker: "w", done: [], want: 1, limit: null, serial: false };
    const { claims } = await bench.store.finishAndClaim({ ...request, rate: null, sharing: null });
    await look(id);
    const line = { name: "line", rules: parseQueueRules("line", {}), hooks: {} };
    await postpone(bench.store, line, claims[0] as Claim, 1_000);
    return id;
  },
  "giveBack: running → ready": async (bench, _, look) => {
    const sick = bench.andon.queue("sick", { attempts: 9, backoff: { delay: "1h", max: "1h" } });
    const manual = bench.manualHandler();
    await sick.work(manual.handler);
    const [probe, other] = await sick.addMany(["probe", "other"]);
    const [first, second] = [await manual.take(probe?.id), await manual.take(other?.id)];
    first.fail(new DestinationDown("away"));
    await bench.reaches(probe?.id as string, "scheduled");
    await look(other?.id as string);
    second.fail(new DestinationDown("away"));
    await bench.settled();
    return other?.id as string;
  },
  "giveBack: running → blocked": async (bench, queue, look) => {
    const leaving = await bench.another();
    const manual = bench.manualHandler();
    await leaving.queue("line").work(manual.handler, { grace: 0 });
    const { id } = await queue.add("x", { key: "k" });
    const call = await manual.take(id);
    await queue.hold("k", KIM);
    await look(id);
    const closing = leaving.close();
    await bench.pass(1);
    call.fail(new Error("closing"));
    await closing;
    return id;
  },
  "fail: running → failed": (bench, queue, look) => endedBy(bench, queue, look, new Error("no")),
  "skipByPolicy: running → skipped": (bench, queue, look) =>
    endedBy(bench, queue, look, new Error("no"), { name: "skip" }),
  "cancel: scheduled → cancelled": cancelFrom("scheduled"),
  "cancel: blocked → cancelled": cancelFrom("blocked"),
  "cancel: ready → cancelled": cancelFrom("ready"),
  "cancel: parked → cancelled": cancelFrom("parked"),
  "cancel: running → cancelled": async (bench, queue, look) => {
    const { id, call } = await running(bench, queue);
    await look(id);
    await queue.cancel(id, KIM);
    call.fail(new Error("aborted"));
    await bench.reaches(id, "cancelled");
    return id;
  },
  "retry: failed → ready": async (bench, queue, look) => {
    const id = await jobInState(bench, queue, "failed");
    await look(id);
    await queue.retry(id, KIM);
    return id;
  },
  "retry: failed → blocked": async (bench, queue, look) => {
    const id = await jobInState(bench, queue, "failed");
    await queue.hold("lane of failed", KIM);
    await look(id);
    await queue.retry(id, KIM);
    return id;
  },
  "skip: failed → resolved": async (bench, queue, look) => {
    const id = await jobInState(bench, queue, "failed");
    await look(id);
    await queue.skip(id, KIM);
    return id;
  },
  "abort: scheduled → aborted": abortFrom("scheduled"),
  "abort: blocked → aborted": abortFrom("blocked"),
  "abort: ready → aborted": abortFrom("ready"),
  "abort: parked → aborted": abortFrom("parked"),
  "abort: running → aborted": async (bench, queue, look) => {
    const { id, call } = await running(bench, queue);
    await look(id);
    await queue.abort(id, KIM);
    await bench.passUntil("its signal is aborted", () => call.context.signal.aborted);
    call.fail(new Error("aborted"));
    await bench.reaches(id, "aborted");
    return id;
  },
  "resume: aborted → ready": resumeFrom("aborted", "ready"),
  "resume: aborted → blocked": resumeFrom("aborted", "blocked"),
  "resume: aborted → scheduled": resumeFrom("aborted", "scheduled"),
  "resume: failed → ready": resumeFrom("failed", "ready"),
  "resume: failed → blocked": resumeFrom("failed", "blocked"),
  "resume: failed → scheduled": resumeFrom("failed", "scheduled"),
  "runNow: scheduled → ready": async (_, queue, look) => {
    const { id } = await queue.add("x", { delay: "1h" });
    await look(id);
    await queue.runNow(id, KIM);
    return id;
  },
  "runNow: scheduled → blocked": dueBehind((_, queue, id) => queue.runNow(id, KIM)),
} as Record<Arrow, Walk>;

const ARROWS = Object.entries(JOB_TRANSITIONS).flatMap(([event, { from, to }]) =>
  from.flatMap((before) => to.map((after) => `${event}: ${before} → ${after}` as Arrow)),
);

const DECISIONS: Partial<Record<JobEvent, (queue: Queue<unknown>, id: string) => Promise<unknown>>> = {
  cancel: (queue, id) => queue.cancel(id, KIM),
  retry: (queue, id) => queue.retry(id, KIM),
  skip: (queue, id) => queue.skip(id, KIM),
  runNow: (queue, id) => queue.runNow(id, KIM),
  abort: (queue, id) => queue.abort(id, KIM),
  resume: (queue, id) => queue.resumeJob(id, KIM),
};

/** Tests every transition of the lifecycle table on a real store, and that decisions without one are refused. */
export function describeTransitions(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "transitions", (it) => {
    it("has a walk for every arrow of the table", async () => {
      expect(Object.keys(WALKS).sort()).toEqual([...ARROWS].sort());
    });

    for (const [arrow, walk] of Object.entries(WALKS)) {
      it(`walks ${arrow}`, async (bench) => {
        const [, before, after] = arrow.match(/: (\w+) → (\w+)/) as [string, JobState, JobState];
        const seen: JobState[] = [];
        const look = async (id: string) => void seen.push((await bench.job(id)).state);
        const id = await walk(bench, bench.queue(ENDING_RULES), look);
        await look(id);
        expect(seen).toEqual([before, after]);
      });
    }

    it("refuses every decision on a state that has no arrow for it", async (bench) => {
      const queue = bench.queue(ENDING_RULES);
      const refused: string[] = [];
      for (const state of JOB_STATES) {
        const id = await jobInState(bench, queue, state);
        expect((await bench.job(id)).state).toBe(state);
        for (const [event, decide] of Object.entries(DECISIONS)) {
          if ((JOB_TRANSITIONS[event as JobEvent].from as readonly JobState[]).includes(state)) continue;
          await expect(decide(queue, id), `${event} from ${state}`).rejects.toMatchObject({
            code: "JOB_STATE",
            status: 409,
            details: { state },
          });
          expect((await bench.job(id)).state).toBe(state);
          refused.push(`${event} from ${state}`);
        }
      }
      expect(refused).toHaveLength(11 * 6 - 5 - 1 - 1 - 1 - 5 - 2);
    });
  });
}
