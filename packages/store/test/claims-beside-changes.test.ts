import { Andon, type Claim, type Store } from "@andon/engine";
import { completionOf } from "@andon/engine/verbs";
import { createDatabase } from "@andon/testkit";
import { checkConsistency } from "@andon/testkit/model";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

/*
 * Claims during everything that changes the line. On SQLite there is one writer at a time, so these tests are for
 * PostgreSQL, where a claim that waits for a row continues with a version of it that its snapshot does not have.
 */
const JOBS = 2_000;
const LANES = 25;
const KIM = { actor: "kim" };

let open: Andon[] = [];
let database: Awaited<ReturnType<typeof createDatabase>>;
let andon: Andon;

beforeEach(async () => {
  database = await createDatabase();
  open = [];
  for (let n = 0; n < 5; n++) open.push(new Andon(await openStore(database.url)));
  andon = open[0] as Andon;
});
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  await database.drop();
});

/** Four claimers with places of their own, until no job is left; returns how often each job was claimed. */
async function claimAll(sharing: (n: number) => { most: null } | null, isOver: () => boolean) {
  const times = new Map<number, number>();
  const claimer = async (store: Store, n: number) => {
    let done: Claim[] = [];
    for (let empty = 0; empty < 3; ) {
      const { claims, deferred } = await store.finishAndClaim({
        queue: "line",
        worker: `worker-${n}`,
        done: done.map((claim) => completionOf(claim, null)),
        want: 25,
        limit: null,
        serial: false,
        rate: null,
        sharing: sharing(n),
      });
      const late = new Set(deferred);
      done = [...done.filter(({ pos }) => late.has(pos)), ...claims];
      for (const { pos } of claims) times.set(pos, (times.get(pos) ?? 0) + 1);
      empty = done.length === 0 && isOver() ? empty + 1 : 0;
    }
  };
  await Promise.all(open.slice(1).map(({ store }, n) => claimer(store, n)));
  return times;
}

async function expectOnceEach(times: ReadonlyMap<number, number>): Promise<void> {
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
  expect(times.size).toBe(JOBS);
  const { counts } = await (andon.queues().then(([queue]) => queue) as Promise<{ counts: object }>);
  expect(counts).toMatchObject({ ready: 0, running: 0, blocked: 0, done: JOBS });
  await checkConsistency(andon);
}

test("each job runs once while its queue begins to be shared fairly", async () => {
  const queue = andon.queue<number>("line");
  const numbers = Array.from({ length: JOBS }, (_, n) => n);
  await queue.addMany(numbers, (n) => ({ tenant: `tenant-${n % 7}` }));
  let isOver = false;
  const claiming = claimAll(
    (n) => (n === 3 ? { most: null } : null),
    () => isOver,
  );
  for (let n = 0; n < 3; n++) await andon.store.shareOut("line");
  isOver = true;
  await expectOnceEach(await claiming);
});

test("each job runs once while ranks change and lanes are held and released", async () => {
  const queue = andon.queue<number>("line");
  const numbers = Array.from({ length: JOBS }, (_, n) => n);
  await queue.addMany(numbers, (n) => (n % 3 === 0 ? { key: `lane-${n % LANES}` } : {}));
  let isOver = false;
  const claiming = claimAll(
    () => null,
    () => isOver,
  );
  // Updates rows in place under the queue's lock, as code would that does not expect a claim to wait for them.
  const rerank = () =>
    andon.store.transaction("test", async (tx) => {
      await tx.lockQueue("line", "exclusive");
      for (const table of ["andon_jobs", "andon_ready"])
        await tx.query(
          `update ${table} set rank = rank + 1 where pos in (select pos from andon_ready where rank < 5)`,
        );
    });
  for (let n = 0; n < LANES; n++) {
    await queue.hold(`lane-${n}`, KIM);
    await rerank();
    await queue.release(`lane-${n}`, KIM);
  }
  isOver = true;
  await expectOnceEach(await claiming);
});
