import { expect, test } from "vitest";
import type { JobRow, Store } from "../ports/store.ts";
import { findingsOf } from "./findings.ts";

const MANY = 2_350;
const AT_ONCE = 100;

/** A store with many failed jobs, some of which a person settles meanwhile. */
function storeWithFailed(isSettled: (pos: number) => boolean): Store {
  const readJobs = async (positions: readonly number[]) =>
    positions.map((pos) => ({ id: `job-${pos}`, state: isSettled(pos) ? "resolved" : "failed" }) as JobRow);
  return { read: { readJobs } } as unknown as Store;
}

test("every job that is still failed is checked before it is skipped, at most 100 at once", async () => {
  const isSettled = (pos: number) => pos % 50 === 0;
  const positions = Array.from({ length: MANY }, (_, pos) => pos);
  let looking = 0;
  let most = 0;
  const findings = await findingsOf(storeWithFailed(isSettled), positions, async () => {
    most = Math.max(most, ++looking);
    await new Promise((resolve) => setImmediate(resolve));
    looking--;
    return { availabilityStatus: "AVAILABLE" };
  });
  const failed = positions.filter((pos) => !isSettled(pos));
  expect([...findings.keys()].sort()).toEqual(failed.map((pos) => `job-${pos}`).sort());
  expect(most).toBeLessThanOrEqual(AT_ONCE);
});
