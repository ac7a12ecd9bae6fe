import type { Member } from "../processes/site.ts";
import type { Point } from "./points.ts";
import type { Scene } from "./scene.ts";
import { OPERATOR, type Stage } from "./stage.ts";

/* Scenes in which a worker, or a process that adds jobs, is killed. */

const LINE = 18;

/** Jobs of every kind, in three lanes and without one. */
const everyKind = Array.from({ length: LINE }, (_, n) => {
  if (n === 1 || n === 9) return { ms: 2, failures: 1 };
  if (n === 2) return { snooze: 60 };
  if (n === 3 || n === 10) return { ms: 2, steps: 2 };
  if (n === 4 || n === 11) return { ms: 2, writes: true };
  return { ms: 5 };
});

const work = (stage: Stage, victim: Member) =>
  victim.ask({ do: "work", queue: stage.name, rules: stage.rules, places: 4 });

const line: Scene = {
  async prepare(stage) {
    await stage.add(everyKind, (n) => (n < 15 ? stage.lane(n) : undefined));
    await stage.queue.add({ n: LINE, ms: 2 }, { delay: 100 });
  },
  act: work,
  async look({ site }) {
    // The writes that a handler commits with its completion exist exactly if the completion does.
    const apart = await site.query(
      `select e.job_id from andon_test_effects e join andon_jobs j on j.id = e.job_id where j.state <> 'done'`,
    );
    return apart.length === 0 ? [] : ["a job's writes are there, and its completion is not"];
  },
  ends: () => ({ done: LINE + 1 }),
};
const lineLater: Scene = { ...line, passes: ({ random }) => random.below(4) };

const added = Array.from({ length: 6 }, (_, n) => ({ payload: { n }, options: { key: `lane-${n % 3}` } }));
const STRUCK = 3;

/** Acknowledged adds are stored; of the interrupted add, exactly what its commit says. */
async function acknowledged({ site, name }: Stage, { moment }: Point): Promise<string[]> {
  const rows = await site.query<{ payload: string }>("select payload from andon_jobs where queue = $1", [
    name,
  ]);
  const stored = rows.map(({ payload }) => (JSON.parse(payload) as { n: number }).n).sort((a, b) => a - b);
  const answered = site.ledger.read(name).filter(({ what }) => what === "added");
  const wanted = moment === "after-commit" ? STRUCK + 1 : STRUCK;
  const findings = answered.length === STRUCK ? [] : [`${answered.length} adds were answered`];
  const expected = Array.from({ length: wanted }, (_, n) => n);
  if (stored.join() !== expected.join()) findings.push(`stored: ${stored}, instead of ${expected}`);
  return findings;
}

export const WORKER_SCENES: Record<string, Scene> = {
  claim: line,
  "finish-and-claim": lineLater,
  handler: lineLater,
  fail: line,
  snooze: line,
  checkpoint: lineLater,
  complete: line,
  promote: line,
  finish: {
    prepare: (stage) => stage.add([{ ms: 60 }, { ms: 80 }, { ms: 100 }], () => undefined),
    act: work,
    ends: () => ({ done: 3 }),
  },
  "claim-probe": {
    rules: { attempts: 6 },
    prepare: (stage) => stage.add(everyKind.map((_, n) => (n === 0 ? { sick: 2 } : { ms: 3 }))),
    act: work,
    ends: () => ({ done: LINE }),
  },
  /** One worker dies; the next one dies while it takes the jobs back. */
  "give-back": {
    async prepare(stage) {
      await stage.add(everyKind.map(() => ({ ms: 60_000 })));
      const [first] = (await stage.site.spawn(1)) as [Member];
      await work(stage, first);
      await stage.site.entry(({ what, pid }) => what === "start" && pid === first.pid, "at work");
      await stage.crashed(first);
    },
    act: work,
    ends: () => ({ done: LINE }),
  },
  /** A worker dies while it signs off. */
  "forget-worker": {
    prepare: (stage) => stage.add([{ ms: 5 }, { ms: 5 }, { ms: 5 }]),
    async act(stage, victim) {
      await work(stage, victim);
      await stage.site.until("worked", async () => (await stage.site.counts(stage.name)).done === 3);
      victim.signal("SIGTERM");
    },
    settle: ({ site }) =>
      site.until("the dead worker is forgotten", async () => (await site.andon.workers()).length === 1),
    ends: () => ({ done: 3 }),
  },
  add: {
    passes: () => STRUCK,
    act: (stage, victim) => victim.ask({ do: "add-in-turn", queue: stage.name, jobs: added }),
    look: acknowledged,
    ends: (_stage) => countStored(_stage),
  },
  enqueue: {
    passes: () => STRUCK,
    act: (stage, victim) => victim.ask({ do: "add-in-turn", queue: stage.name, jobs: known() }),
    look: acknowledged,
    async goOn({ queue }) {
      // A caller that does not know whether its add arrived sends it again.
      for (const { payload, options } of known()) await queue.add(payload, options);
      return [];
    },
    ends: () => ({ done: added.length }),
  },
  "schedule.fire": {
    async prepare({ site, name, lane }) {
      await site.andon.schedules.put({
        name: "each-second",
        queue: name,
        cron: "* * * * * *",
        timeZone: "Asia/Seoul",
        missed: "all",
        payload: { n: 0 },
        job: { key: lane(0) },
      });
    },
    act: work,
    async settle(stage) {
      const { site, name } = stage;
      await site.until("three due times", async () => (await site.counts(name)).done >= 3);
      await site.andon.schedules.deactivate("each-second", OPERATOR);
    },
    async ends(stage) {
      const due = await stage.site.query<{ run_at: number }>(
        "select run_at from andon_jobs where queue = $1 order by run_at",
        [stage.name],
      );
      due.slice(1).forEach(({ run_at }, index) => {
        const gap = Number(run_at) - Number(due[index]?.run_at);
        if (gap !== 1_000) throw new Error(`due times are ${gap} ms apart`);
      });
      return countStored(stage);
    },
  },
};

/** For a verb without its own scene: workers simply work. */
export const ANY_SCENE = line;

function known() {
  return added.map(({ payload, options }) => ({
    payload,
    options: { ...options, idempotencyKey: `known-${payload.n}` },
  }));
}

async function countStored({ site, name }: Stage): Promise<{ done: number }> {
  const rows = await site.query("select pos from andon_jobs where queue = $1", [name]);
  return { done: rows.length };
}
