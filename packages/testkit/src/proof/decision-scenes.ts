import type { Request } from "../processes/member-process.ts";
import type { Member } from "../processes/site.ts";
import type { Scene } from "./scene.ts";
import { OPERATOR, type Stage } from "./stage.ts";

/*
 * Scenes in which an operator's call is interrupted: the process that made it dies, and the operator checks and decides
 * again.
 */

const JOBS = 12;
const FAILING = 4;
/** The number of jobs behind it in its lane, which has every third job. */
const BEHIND_FAILING = 2;
const plain = Array.from({ length: JOBS }, () => ({ ms: 3 }));
const withFailures = (failing: readonly number[]) =>
  plain.map((errand, n) => (failing.includes(n) ? { ...errand, final: true } : errand));

type Verb = Extract<Request, { do: "call" }>["verb"];
const call = (stage: Stage, victim: Member, verb: Verb, ...args: unknown[]) =>
  victim.ask({ do: "call", queue: stage.name, rules: stage.rules, verb, args: [...args, OPERATOR] });

const addPlain = (stage: Stage) => stage.add(plain);

/** A job has failed finally, and the queue is stopped. */
async function stoppedByFailure(stage: Stage): Promise<void> {
  await stage.add(withFailures([FAILING]));
  await stage.workUntil("stopped by a failure", ({ failed, running }) => failed === 1 && running === 0);
}

/** Two jobs have failed finally; each holds its lane, and the rest is done. */
async function lanesHeld(stage: Stage): Promise<void> {
  await stage.add(withFailures([FAILING, FAILING + 1]));
  await stage.workUntil(
    "two lanes held",
    ({ failed, running, ready, scheduled }) => failed === 2 && running + ready + scheduled === 0,
  );
}

const MANY = 250;

/**
 * More jobs have failed than one step takes. The process that decides about all of them dies; another one continues its
 * list.
 */
const manyFailed: Scene = {
  rules: { onFinalFailure: "hold-lane" },
  async prepare(stage) {
    const errands = Array.from({ length: MANY }, () => ({ final: true }));
    await stage.add(errands, () => undefined);
    await stage.workUntil("all have failed", ({ failed }) => failed === MANY);
  },
  act: (stage, victim) => call(stage, victim, "retryAll"),
  settle: ({ site }) =>
    site.until(
      "the operation has ended",
      async () => (await site.andon.findOperations({ open: true })).total === 0,
    ),
  async goOn({ site }) {
    const rows = await site.query<{ id: string }>(
      "select id from andon_operations where finished_at is null",
    );
    return rows.length > 0 ? [] : ["no operation was left to go on with"];
  },
  async ends({ site }) {
    const retried = await site.query<{ target: string }>(
      "select target from andon_audit where action = 'job.retry'",
    );
    const targets = new Set(retried.map(({ target }) => target));
    if (retried.length !== MANY || targets.size !== MANY)
      throw new Error(`${retried.length} rows about ${targets.size} of ${MANY} jobs`);
    return { done: MANY };
  },
};

const stillStopped = (stage: Stage) => stage.standsStill("the queue is stopped", () => true);

const schedule = {
  name: "hourly",
  queue: "elsewhere",
  cron: "0 * * * *",
  timeZone: "Asia/Seoul",
};
const noJobs = { ends: () => ({}) };

export const DECISION_SCENES: Record<string, Scene> = {
  stop: {
    prepare: addPlain,
    act: (stage, victim) => call(stage, victim, "stop"),
    records: { audit: { "queue.pause": 1 }, events: { "queue.stopped": 1 } },
    async goOn(stage, isMade) {
      if (!isMade) return;
      const findings = await stillStopped(stage);
      const { items } = await stage.queue.stops();
      const verdict = await stage.site.andon.verifyStop(items[0]?.id ?? "");
      if (!verdict.holds) findings.push(`the certificate does not hold: ${verdict.violations}`);
      await stage.queue.resume(OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS }),
  },
  resume: {
    async prepare(stage) {
      await addPlain(stage);
      await stage.queue.stop(OPERATOR);
    },
    act: (stage, victim) => call(stage, victim, "resume"),
    records: { audit: { "queue.resume": 1 }, events: { "queue.resumed": 1 } },
    async goOn(stage, isMade) {
      if (isMade) return;
      const findings = await stillStopped(stage);
      await stage.queue.resume(OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS }),
  },
  retry: {
    prepare: stoppedByFailure,
    act: (stage, victim) => call(stage, victim, "retry", stage.id(FAILING)),
    records: { audit: { "job.retry": 1 }, events: { "job.retried": 1, "lane.released": 1 } },
    async goOn(stage, isMade) {
      const findings = await stillStopped(stage);
      if (!isMade) await stage.queue.retry(stage.id(FAILING), OPERATOR);
      await stage.queue.resume(OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS }),
  },
  "retry-all": {
    rules: { onFinalFailure: "hold-lane" },
    prepare: lanesHeld,
    act: (stage, victim) => call(stage, victim, "retryAll"),
    records: {
      audit: { "job.retry": 2, "queue.retry-all": 1 },
      events: { "job.retried": 2, "lane.released": 2 },
    },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.retryAll(OPERATOR);
      return [];
    },
    ends: () => ({ done: JOBS }),
  },
  skip: {
    prepare: stoppedByFailure,
    act: (stage, victim) => call(stage, victim, "skip", stage.id(FAILING)),
    records: { audit: { "job.skip": 1 }, events: { "job.resolved": 1, "lane.released": 1 } },
    async goOn(stage, isMade) {
      const findings = await stillStopped(stage);
      if (!isMade) await stage.queue.skip(stage.id(FAILING), OPERATOR);
      await stage.queue.resume(OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS - 1, resolved: 1 }),
  },
  operation: manyFailed,
  "operation-step": manyFailed,
  "operation-end": manyFailed,
  "skip-all-and-resume": {
    prepare: stoppedByFailure,
    act: (stage, victim) => call(stage, victim, "skipAllAndResume"),
    records: {
      audit: { "job.skip": 1, "queue.skip-all-and-resume": 1, "queue.resume": 1 },
      events: { "job.resolved": 1, "lane.released": 1, "queue.resumed": 1 },
    },
    async goOn(stage, isMade) {
      if (isMade) return;
      const findings = await stillStopped(stage);
      await stage.queue.skipAllAndResume(OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS - 1, resolved: 1 }),
  },
  "skip-with-rest": {
    prepare: stoppedByFailure,
    act: (stage, victim) => call(stage, victim, "skipWithRest", stage.id(FAILING)),
    records: {
      audit: { "job.skip-with-rest": 1 },
      events: { "job.resolved": 1, "job.cancelled": BEHIND_FAILING, "lane.released": 1 },
    },
    async goOn(stage, isMade) {
      const findings = await stillStopped(stage);
      if (!isMade) await stage.queue.skipWithRest(stage.id(FAILING), OPERATOR);
      await stage.queue.resume(OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS - 1 - BEHIND_FAILING, resolved: 1, cancelled: BEHIND_FAILING }),
  },
  hold: {
    prepare: addPlain,
    act: (stage, victim) => call(stage, victim, "hold", stage.lane(1)),
    records: { audit: { "lane.hold": 1 }, events: { "lane.held": 1 } },
    async goOn(stage, isMade) {
      if (!isMade) return;
      const findings = await stage.standsStill("the lane is held", (key) => key === stage.lane(1));
      await stage.queue.release(stage.lane(1), OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS }),
  },
  release: {
    async prepare(stage) {
      await addPlain(stage);
      await stage.queue.hold(stage.lane(1), OPERATOR);
    },
    act: (stage, victim) => call(stage, victim, "release", stage.lane(1)),
    records: { audit: { "lane.release": 1 }, events: { "lane.released": 1 } },
    async goOn(stage, isMade) {
      if (isMade) return;
      const findings = await stage.standsStill("the lane is held", (key) => key === stage.lane(1));
      await stage.queue.release(stage.lane(1), OPERATOR);
      return findings;
    },
    ends: () => ({ done: JOBS }),
  },
  cancel: {
    prepare: addPlain,
    act: (stage, victim) => call(stage, victim, "cancel", stage.id(FAILING)),
    records: { audit: { "job.cancel": 1 }, events: { "job.cancelled": 1 } },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.cancel(stage.id(FAILING), OPERATOR);
      return [];
    },
    ends: () => ({ done: JOBS - 1, cancelled: 1 }),
  },
  "cancel-rest": {
    prepare: addPlain,
    act: (stage, victim) => call(stage, victim, "cancelRest", stage.lane(2)),
    records: { audit: { "lane.cancel-rest": 1 }, events: { "job.cancelled": JOBS / 3 } },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.cancelRest(stage.lane(2), OPERATOR);
      return [];
    },
    ends: () => ({ done: JOBS - JOBS / 3, cancelled: JOBS / 3 }),
  },
  "run-now": {
    async prepare(stage) {
      await addPlain(stage);
      const later = await stage.queue.add({ n: JOBS }, { key: stage.lane(0), delay: "1h" });
      stage.remember(JOBS, later.id);
    },
    act: (stage, victim) => call(stage, victim, "runNow", stage.id(JOBS)),
    records: { audit: { "job.run-now": 1 }, events: { "job.run-now": 1 } },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.runNow(stage.id(JOBS), OPERATOR);
      return [];
    },
    ends: () => ({ done: JOBS + 1 }),
  },
  purge: {
    rules: { keep: { done: 1 } },
    async prepare(stage) {
      await addPlain(stage);
      await stage.workUntil("all done", ({ done }) => done === JOBS);
    },
    act: (stage, victim) => call(stage, victim, "purge"),
    records: { audit: {}, events: {} },
    async goOn(stage, isMade) {
      if (!isMade) await stage.queue.purge();
      return [];
    },
    // The number of jobs ever done is kept.
    ends: () => ({ done: JOBS }),
  },
  "schedule.put": {
    act: (_, victim) => victim.ask({ do: "schedules", verb: "put", args: [schedule, OPERATOR] }),
    records: { audit: { "schedule.put": 1 }, events: {} },
    ...noJobs,
  },
  "schedule.activate": {
    prepare: async (stage) => void (await stage.site.andon.schedules.put(schedule)),
    act: (_, victim) => victim.ask({ do: "schedules", verb: "deactivate", args: [schedule.name, OPERATOR] }),
    records: { audit: { "schedule.deactivate": 1 }, events: {} },
    ...noJobs,
  },
  "schedule.remove": {
    prepare: async (stage) => void (await stage.site.andon.schedules.put(schedule)),
    act: (_, victim) => victim.ask({ do: "schedules", verb: "remove", args: [schedule.name, OPERATOR] }),
    records: { audit: { "schedule.remove": 1 }, events: {} },
    ...noJobs,
  },
  caller: {
    act: (stage, victim) =>
      victim.ask({
        do: "add-with-row",
        queue: stage.name,
        job: { payload: { n: 0 }, options: { key: stage.lane(0) } },
      }),
    records: { audit: {}, events: {} },
    async look({ site }) {
      const one = "select count(*) as count from";
      const [rows] = await site.query<{ count: number }>(`${one} andon_test_effects`);
      const [jobs] = await site.query<{ count: number }>(`${one} andon_jobs`);
      return rows?.count === jobs?.count ? [] : ["the caller's row and its job are not together"];
    },
    async goOn(stage, isMade) {
      if (!isMade) await stage.add([{}]);
      return [];
    },
    ends: () => ({ done: 1 }),
  },
};
