import { Andon, type Claim } from "@andon/engine";
import { completionOf, giveBack } from "@andon/engine/verbs";
import { createDatabase } from "@andon/testkit";
import { checkConsistency } from "@andon/testkit/model";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

/*
 * A claim that continues in its next stage is updated in place, and so is one that is to be cancelled, so two
 * transactions write one row. On SQLite there is one writer at a time, so this test is for PostgreSQL.
 */
const JOBS = 150;
const PLACES = 15;
const LIMITS = { one: 20, two: 12, three: 25 };
const STAGES = Object.keys(LIMITS);
const KIM = { actor: "kim" };

test("jobs go through each stage once, or are cancelled, and no stage ever has more than its places", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const open: Andon[] = [];
  for (let n = 0; n < 3; n++) open.push(new Andon(await openStore(database.url)));
  onTestFinished(() => Promise.all(open.map((one) => one.close())).then(() => {}));
  const [andon, ...workers] = open as [Andon, ...Andon[]];
  const queue = andon.queue<number>("line", { stages: STAGES.map((name) => ({ name })) });
  const numbers = Array.from({ length: JOBS }, (_, n) => n);
  const ids = (await queue.addMany(numbers)).map(({ id }) => id);

  const ended: string[] = [];
  const work = async ({ store }: Andon, worker: string) => {
    let held: Claim[] = [];
    for (let empty = 0; empty < 5; ) {
      const { claims, refused } = await store.finishAndClaim({
        ...{ queue: "line", worker, limit: null, serial: false, rate: null, sharing: null, hasStages: true },
        ...{ done: held.map((claim) => completionOf(claim, null)), want: PLACES, stageLimits: LIMITS },
      });
      for (const { pos, fence, job } of held)
        if (!refused.includes(pos)) ended.push(`${job.payload} ${job.stage}`);
        else
          await giveBack(
            store,
            { name: "line", rules: queue.rules, hooks: {} },
            { pos, fence },
            "handed-back",
          );
      held = claims;
      empty = held.length === 0 ? empty + 1 : 0;
    }
  };
  let isOver = false;
  const overLimit: unknown[] = [];
  const watch = async () => {
    const counted = "select stage, count(*) as jobs from andon_running group by stage";
    while (!isOver)
      for (const { stage, jobs } of await andon.store.query<{ stage: keyof typeof LIMITS; jobs: number }>(
        counted,
      ))
        if (jobs > LIMITS[stage]) overLimit.push({ stage, jobs });
  };
  let cancelled = 0;
  const cancelSome = async () => {
    for (const id of ids.filter((_, n) => n % 3 === 0))
      await queue.cancel(id, KIM, { at: "boundary" }).then(
        () => cancelled++,
        () => {},
      );
  };
  const watching = watch();
  await Promise.all([...workers.map((one, n) => work(one, `worker-${n}`)), cancelSome()]);
  isOver = true;
  await watching;

  expect(overLimit).toEqual([]);
  expect(new Set(ended).size).toBe(ended.length);
  const { counts } = await queue.status();
  expect(counts).toMatchObject({ ready: 0, running: 0 });
  expect(counts.done + counts.cancelled).toBe(JOBS);
  expect(counts.cancelled).toBe(cancelled);
  expect(ended.filter((stage) => stage.endsWith(" three"))).toHaveLength(counts.done);
  await checkConsistency(andon);
});
