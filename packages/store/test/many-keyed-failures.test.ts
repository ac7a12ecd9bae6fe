import { DEFAULT_TENANT, laneId, type Queue, type Store } from "@andon/engine";
import { type Bench, describeOn, KIM } from "@andon/testkit/conformance";
import pg from "pg";
import { expect, onTestFinished, vi } from "vitest";
import { SyncSession } from "../src/sqlite/session.ts";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

const LANES = 3_000;
/** A step over a thousand jobs sends about thirty; one statement per lane would be a thousand. */
const MOST_PER_STEP = 60;

const laneNumber = (n: number) => laneId(DEFAULT_TENANT, `lane-${n}`);

/**
 * Adds lanes that each have a failed job, which holds the lane; every tenth lane has another job behind it. Written by
 * store steps, because running and failing the jobs would take long.
 */
async function addFailedLanes({ store, andon }: Bench, lanes: number): Promise<Queue<number>> {
  const queue = andon.queue<number>("line", { onFinalFailure: "hold-lane" });
  const keys = Array.from({ length: lanes }, (_, n) => n);
  for (const numbers of [keys, keys.filter((n) => n % 10 === 0)])
    for (let from = 0; from < numbers.length; from += 10_000)
      await queue.addMany(numbers.slice(from, from + 10_000), (n) => ({ key: `lane-${n}` }));
  await store.transaction("test", async (tx) => {
    await tx.lockQueue("line", "exclusive");
    const heads = await tx.query<{ pos: number }>("select pos from andon_ready where queue = 'line'");
    const positions = heads.map(({ pos }) => Number(pos));
    expect(positions).toHaveLength(lanes);
    const error = { code: "NOPE", message: "no", fingerprint: "nope" };
    await tx.leaveReady("line", positions);
    await tx.saveJobs(positions, { state: "failed", attempts: 1, finishedAt: tx.now(), error });
    await tx.recordEnded(positions, "failed", tx.now());
    const held = { at: tx.now(), kind: "failure" as const, by: "andon", reason: "NOPE", jobId: null };
    await tx.holdLanes("line", keys.map(laneNumber), held);
    await tx.query(`update andon_lanes set held_job_id = (
  select j.id from andon_lane_jobs m join andon_jobs j on j.pos = m.pos
  where m.queue = andon_lanes.queue and m.lane_key = andon_lanes.lane_key and m.seq = andon_lanes.head_seq)`);
    tx.tally("line", { ready: -lanes, failed: lanes });
  });
  return queue;
}

/** Counts the statements that are sent inside steps of operations. */
function countStatements(store: Store) {
  const seen = { steps: 0, statements: 0 };
  let inStep = false;
  const count = () => {
    if (inStep) seen.statements++;
  };
  const counted = <T extends object>(of: T, name: keyof T) => {
    const original = of[name] as (...given: unknown[]) => unknown;
    const spy = vi.spyOn(of as Record<string, () => unknown>, name as string);
    spy.mockImplementation(function (this: unknown, ...given: unknown[]) {
      count();
      return original.apply(this, given);
    } as () => unknown);
    onTestFinished(() => spy.mockRestore());
  };
  counted(pg.Client.prototype, "query");
  counted(SyncSession.prototype, "all");
  counted(SyncSession.prototype, "run");
  const transaction = store.transaction.bind(store);
  store.transaction = async (verb, work, limit) => {
    if (verb !== "operation-step") return transaction(verb, work, limit);
    seen.steps++;
    inStep = true;
    return transaction(verb, work, limit).finally(() => {
      inStep = false;
    });
  };
  return seen;
}

describeOn(STORE_KINDS, "decisions over many failed jobs with keys", (it) => {
  it("skip 3,000 and let the jobs behind them through, with a bounded number of statements per step", async (bench) => {
    const queue = await addFailedLanes(bench, LANES);
    const seen = countStatements(bench.store);
    expect(await queue.skipAllAndResume(KIM)).toMatchObject({ skipped: LANES });
    expect((await queue.status()).counts).toMatchObject({
      resolved: LANES,
      ready: LANES / 10,
      blocked: 0,
      failed: 0,
    });
    expect(seen.steps).toBeGreaterThanOrEqual(LANES / 1_000);
    expect(seen.statements / seen.steps).toBeLessThan(MOST_PER_STEP);
  });

  it("retry them in their places, with a bounded number of statements per step", async (bench) => {
    const lanes = 1_500;
    const queue = await addFailedLanes(bench, lanes);
    const held = Array.from({ length: 500 }, (_, n) => n);
    await bench.store.transaction("test", async (tx) => {
      await tx.lockQueue("line", "exclusive");
      const lanes = held.map(laneNumber);
      const byHand = { at: 1, kind: "hand" as const, by: "kim", reason: null, jobId: null };
      await tx.lockLanes("line", lanes);
      await tx.holdLanes("line", lanes, byHand);
    });
    const seen = countStatements(bench.store);
    expect(await queue.retryAll(KIM)).toMatchObject({ retried: lanes });
    const ready = lanes - held.length;
    expect((await queue.status()).counts).toMatchObject({
      ready,
      blocked: lanes / 10 + held.length,
      failed: 0,
    });
    expect(seen.statements / seen.steps).toBeLessThan(MOST_PER_STEP);
  });
});
