import type { Request } from "../processes/member-process.ts";
import type { Member } from "../processes/site.ts";
import type { Scene } from "./scene.ts";
import { OPERATOR, type Stage } from "./stage.ts";

/*
 * Scenes of bulk jobs, and of the operator who aborts, resumes and throttles one. In the end another process simply
 * does the jobs: packages/store/test/processes/killed-bulk-walk.test.ts checks the writes of a walk.
 */

const JOBS = 6;
const CHOSEN = 4;
const SIZE = 20_000;
const CHUNK = 10;

const plain = Array.from({ length: JOBS }, () => ({ ms: 3 }));

type Verb = Extract<Request, { do: "call" }>["verb"];
const call = (stage: Stage, victim: Member, verb: Verb, ...args: unknown[]) =>
  victim.ask({ do: "call", queue: stage.name, rules: stage.rules, verb, args: [...args, OPERATOR] });

const addPlain = (stage: Stage) => stage.add(plain);

async function addWalk(stage: Stage): Promise<void> {
  await stage.site.query("create table andon_test_items (job text, n integer, primary key (job, n))");
  await stage.add([{}]);
}

const walk = (stage: Stage, victim: Member) =>
  victim.ask({ do: "walk", queue: stage.name, rules: stage.rules, size: SIZE, chunkSize: CHUNK });

/** The worker dies while it walks, without an abort. */
const walking: Scene = { prepare: addWalk, act: walk, ends: () => ({ done: 1 }) };

/** The walking process is asked to abort its own job. */
const abortOfAWalk: Scene = {
  prepare: addWalk,
  async act(stage, victim) {
    await walk(stage, victim);
    await stage.site.until("the job runs", async () => (await stage.site.counts(stage.name)).running === 1);
    await call(stage, victim, "abort", stage.id(0));
  },
  // A stored abort is carried out, whichever process died; one that is not stored was never accepted.
  async ends({ site }) {
    const wishes = await site.query("select pos from andon_abort_wishes");
    return wishes.length > 0 ? { aborted: 1 } : { done: 1 };
  },
};

export const BULK_SCENES: Record<string, Scene> = {
  "bulk-begin": walking,
  "bulk-start": walking,
  chunk: { ...walking, passes: () => 3 },
  "abort-wish": abortOfAWalk,
  "abort-check": abortOfAWalk,
  "abort-claim": abortOfAWalk,
  abort: {
    prepare: addPlain,
    act: (stage, victim) => call(stage, victim, "abort", stage.id(CHOSEN)),
    records: { audit: { "job.abort": 1 }, events: { "job.aborted": 1 } },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.abort(stage.id(CHOSEN), OPERATOR);
      return [];
    },
    ends: () => ({ done: JOBS - 1, aborted: 1 }),
  },
  "resume-job": {
    async prepare(stage) {
      await addPlain(stage);
      await stage.queue.abort(stage.id(CHOSEN), OPERATOR);
    },
    act: (stage, victim) => call(stage, victim, "resumeJob", stage.id(CHOSEN)),
    records: { audit: { "job.resume": 1 }, events: { "job.resumed": 1 } },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.resumeJob(stage.id(CHOSEN), OPERATOR);
      return [];
    },
    ends: () => ({ done: JOBS }),
  },
  "throttle-job": {
    prepare: addPlain,
    act: (stage, victim) => call(stage, victim, "throttle", stage.id(CHOSEN), { pauseMs: 5 }),
    records: { audit: { "job.throttle": 1 }, events: { "job.throttle-changed": 1 } },
    ends: () => ({ done: JOBS }),
  },
};
