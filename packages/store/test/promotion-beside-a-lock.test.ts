import { Andon, laneIds, type StoreTx } from "@andon/engine";
import { createDatabase, findContradictions, until } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

/** Two processes on one PostgreSQL; on SQLite a lock covers the whole file. */
async function site(): Promise<{ andon: Andon; other: Andon }> {
  const database = await createDatabase();
  const [andon, other] = [new Andon(await openStore(database.url)), new Andon(await openStore(database.url))];
  onTestFinished(async () => {
    await Promise.all([andon.close(), other.close()]);
    await database.drop();
  });
  await andon.store.migrate();
  return { andon, other };
}

/** Keeps what `lock` locks until the returned function is called. */
async function holding(andon: Andon, lock: (tx: StoreTx) => Promise<unknown>): Promise<() => Promise<void>> {
  let letGo = () => {};
  const end = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let held: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    held = andon.store.transaction("hold", async (tx) => {
      await lock(tx);
      resolve();
      await end;
    });
  });
  return async () => {
    letGo();
    await held;
  };
}

test("a queue that another process has locked does not delay the due jobs of other queues", async () => {
  const { andon, other } = await site();
  const [locked, free] = [andon.queue<string>("a-locked"), andon.queue<string>("free")];
  const { id } = await locked.add("x", { delay: 200 });
  await free.work(() => {});
  const letGo = await holding(other, (tx) => tx.lockQueue("a-locked", "exclusive"));
  const due = [await free.add("first", { delay: 300 }), await free.add("second", { delay: 900 })];
  try {
    for (const job of due) await until(async () => (await andon.job(job.id))?.state === "done");
    expect((await andon.job(id))?.state).toBe("scheduled");
  } finally {
    await letGo();
  }
  await until(async () => (await andon.job(id))?.state === "ready");
});

/** Lanes by job name, in the order of their due times. */
const LANES: Record<string, string[]> = {
  "locked 1": ["locked"],
  "new 1": ["new"],
  "free and locked": ["free", "locked"],
  // Behind the job above, in a lane that is not locked.
  "free 2": ["free"],
  "locked 2": ["locked"],
  "new 2": ["new"],
  open: ["open"],
  plain: [],
  ...Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`made ${n}`, [`made-${n}`]])),
};
const HELD_UP = ["locked 1", "new 1", "free and locked", "free 2", "locked 2", "new 2"];

test("lanes that another transaction locks or creates delay only their own due jobs, which keep their order", async () => {
  const { andon, other } = await site();
  const queue = andon.queue<string>("line");
  await queue.add("first", { key: "locked" });
  const names = Object.keys(LANES);
  const runAt = Date.now() + 500;
  const added = await queue.addMany(names, (name) => ({
    runAt: runAt + names.indexOf(name),
    keys: LANES[name],
  }));
  const stateOf = async (name: string) => (await andon.job(added[names.indexOf(name)]?.id ?? ""))?.state;
  const letGo = await holding(other, async (tx) => {
    await tx.lockLanes("line", laneIds("default", ["locked"]));
    await tx.ensureLanes("line", laneIds("default", ["new"]));
  });
  await andon.queue("idle").work(() => {});
  try {
    for (const name of names)
      if (!HELD_UP.includes(name)) await until(async () => (await stateOf(name)) === "ready");
    for (const name of HELD_UP) expect(await stateOf(name)).toBe("scheduled");
  } finally {
    await letGo();
  }
  await until(async () => (await queue.status()).counts.scheduled === 0);
  const started: string[] = [];
  await queue.work((job) => void started.push(job.payload), { places: 1 });
  await until(async () => (await queue.status()).counts.done === names.length + 1);
  const inLane = (key: string) => started.filter((name) => LANES[name]?.includes(key));
  expect(inLane("locked")).toEqual(["locked 1", "free and locked", "locked 2"]);
  expect(inLane("free")).toEqual(["free and locked", "free 2"]);
  expect(inLane("new")).toEqual(["new 1", "new 2"]);
  expect(await findContradictions(andon)).toEqual({});
});

test("due jobs of a lane are promoted in their order while other processes promote too", async () => {
  const { andon, other } = await site();
  const queue = andon.queue<number>("line");
  const numbers = Array.from({ length: 1_200 }, (_, n) => n);
  const runAt = Date.now() + 1_000;
  await queue.addMany(numbers, (n) => ({ runAt: runAt + (n % 300), keys: [`a-${n % 3}`, `b-${n % 2}`] }));
  for (const process of [andon, other]) await process.queue("idle").work(() => {});
  await until(async () => (await queue.status()).counts.scheduled === 0);
  const rows = await andon.store.query<{ lane_key: string; payload: string; due: number }>(
    "select m.lane_key, j.payload, j.run_at as due from andon_lane_jobs m join andon_jobs j on j.pos = m.pos order by m.lane_key, m.seq",
  );
  expect(rows).toHaveLength(2 * numbers.length);
  for (const key of ["a-0", "a-1", "a-2", "b-0", "b-1"]) {
    const lane = rows.filter((row) => row.lane_key === key).map(({ due, payload }) => [due, Number(payload)]);
    const inOrder = [...lane].sort(
      ([a, n], [b, m]) => (a as number) - (b as number) || (n as number) - (m as number),
    );
    expect(lane).toEqual(inOrder);
  }
});
