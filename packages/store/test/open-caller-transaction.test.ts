import { Andon, Unretryable } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import { checkConsistency } from "@andon/testkit/model";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

/*
 * A caller adds a job to a lane in its own transaction and leaves that open. Nothing else may wait for it: what these
 * tests await before `commit` would otherwise hang. For PostgreSQL: on SQLite an open transaction locks the whole file.
 */
const LANES = Array.from({ length: 20 }, (_, n) => `lane-${n}`);
const BUSY = LANES[7] as string;
const KIM = { actor: "kim", reason: "looked into it" };

let database: Awaited<ReturnType<typeof createDatabase>>;
let andon: Andon;
let caller: pg.Client;

beforeEach(async () => {
  database = await createDatabase();
  andon = new Andon(await openStore(database.url), { onError: () => {} });
  caller = new pg.Client(database.url);
  await caller.connect();
});
afterEach(async () => {
  await caller.end();
  await andon.close();
  await database.drop();
});

async function lockBusyLane(queue: ReturnType<typeof lanes>): Promise<void> {
  await caller.query("begin");
  await queue.add("the caller's", { key: BUSY, tx: caller });
}

const lanes = () => andon.queue<string>("line", { onFinalFailure: "stop-queue", attempts: 1 });

describe("beside a caller's open transaction on one lane", () => {
  test("jobs of the other lanes run to their end, and a stop does not wait", async () => {
    const queue = lanes();
    const ids = await queue.addMany([...LANES, ...LANES], (key) => ({ key }));
    await lockBusyLane(queue);
    const ran: string[] = [];
    await queue.work((job) => void ran.push(job.keys[0] as string), { places: 50 });
    await until(async () => (await queue.status()).counts.done === ids.length - 2);
    expect(ran.filter((key) => key === BUSY)).toHaveLength(1);
    expect(await queue.stop(KIM)).toMatchObject({ changed: true });
    await queue.resume(KIM);
    await caller.query("commit");
    await until(async () => (await queue.status()).counts.done === ids.length + 1);
    expect(ran.filter((key) => key === BUSY)).toHaveLength(3);
    await checkConsistency(andon);
  });

  test("adds to the other lanes are stored, and those to this lane keep their order behind it", async () => {
    const queue = lanes();
    await queue.add("first", { key: BUSY });
    await lockBusyLane(queue);
    const late = [queue.add("second", { key: BUSY }), queue.add("third", { key: BUSY })];
    const others = LANES.filter((key) => key !== BUSY).map((key) => queue.add("other", { key }));
    // Sent while the adds above run; one of them is for the locked lane.
    const more = [queue.add("fourth", { key: BUSY }), queue.add("other", { key: LANES[1] as string })];
    await Promise.all([...others, more[1]]);
    await caller.query("commit");
    const [second, third, fourth] = await Promise.all([...late, more[0]]);
    expect([second?.seq, third?.seq, fourth?.seq]).toEqual([3, 4, 5]);
    await checkConsistency(andon);
  });

  test("a final failure in that lane stops the queue at once, and holds the lane after the commit", async () => {
    const queue = lanes();
    const { id } = await queue.add("bad", { key: BUSY });
    await lockBusyLane(queue);
    await queue.work(() => {
      throw new Unretryable("broken");
    });
    await until(async () => (await queue.status()).state === "stopped");
    expect(await andon.job(id)).toMatchObject({ state: "failed" });
    expect((await queue.lanes({ held: true })).items).toEqual([]);
    await caller.query("commit");
    await until(async () => (await queue.lanes({ held: true })).total === 1);
    expect((await queue.lanes({ held: true })).items).toMatchObject([
      { key: BUSY, depth: 2, held: { kind: "failure", jobId: id } },
    ]);
    await queue.skip(id, KIM);
    await queue.resume(KIM);
    await checkConsistency(andon);
  });

  test("a decision about that lane waits, and nothing waits for it", async () => {
    const queue = lanes();
    await queue.addMany([BUSY, ...LANES], (key) => ({ key }));
    await lockBusyLane(queue);
    const holding = queue.hold(BUSY, KIM);
    await queue.work(() => {}, { places: 4 });
    await until(async () => (await queue.status()).counts.done === LANES.length - 1);
    expect(await queue.stop(KIM)).toMatchObject({ changed: true });
    await caller.query("commit");
    expect(await holding).toEqual({ changed: true });
    await checkConsistency(andon);
  });
});

test("a cancel waits neither for the writes of a checkpoint nor for those of a completion", async () => {
  const queue = andon.queue<string>("line");
  let letGo = () => {};
  const written = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = 0;
  await queue.work(async (_, { checkpoint }) => {
    await checkpoint(1, async (tx) => {
      await tx.query("select 1");
      begun++;
      await written;
    });
  });
  const { id } = await queue.add("long");
  await until(async () => begun === 1);
  expect(await queue.cancel(id, KIM)).toEqual({ outcome: "requested" });
  expect(await queue.cancel(id, { actor: "lee" })).toEqual({ outcome: "requested" });
  const { id: other } = await queue.add("other");
  await until(async () => begun === 2);
  letGo();
  await until(async () => (await andon.job(other))?.state === "done");
  await until(async () => (await andon.job(id))?.state === "cancelled");
  expect(await andon.job(id)).toMatchObject({ cursor: null, resolution: KIM });
  await checkConsistency(andon);
});
