import type { Claim, Completion, FinishAndClaimRequest } from "@andon/engine";
import { expect, test } from "vitest";
import { ClaimFloor, LOWEST } from "./claim-floor.ts";

const request = (want: number, done: number[] = []): FinishAndClaimRequest => ({
  queue: "line",
  worker: "w",
  done: done.map((pos) => ({ pos, lanes: ["k"] }) as unknown as Completion),
  want,
  limit: null,
  serial: false,
  rate: null,
  sharing: null,
});
const claim = (pos: number, priority = 0) => ({ pos, job: { priority } }) as unknown as Claim;

/** A floor after full scans that came back short and took this long, the last of them at time 1,000. */
function afterScans(ms: number, scans = 20): ClaimFloor {
  const floors = new ClaimFloor();
  for (let scan = 1; scan <= scans; scan++) {
    const floor = floors.of(request(10), 1_000 * (scan / scans));
    floors.learn(request(10), floor, [claim(scan)], ms);
  }
  return floors;
}

test("while scans are fast, a request that came back short is followed by a full scan", () => {
  const floors = afterScans(0.5);
  expect(floors.of(request(10, [70, 30]), 1_001)).toBe(LOWEST);
  expect(floors.pause("line", 1_001)).toBeUndefined();
});

test("one interrupted scan does not make scans count as slow", () => {
  const floors = afterScans(0.5);
  floors.learn(request(10), floors.of(request(10), 1_000), [], 500);
  expect(floors.pause("line", 1_001)).toBeUndefined();
});

test("while scans are slow, a request starts at the lowest job it finishes, and full scans run at intervals", () => {
  const floors = afterScans(10);
  expect(floors.of(request(10, [70, 30]), 1_001)).toEqual({ floorRank: 0, floorPos: 30 });
  expect(floors.pause("line", 1_001)).toBe(99);
  expect(floors.of(request(10, [70, 30]), 1_100)).toBe(LOWEST);
  // A request that finishes nothing was woken by another process, for a job at any position.
  expect(floors.of(request(10), 1_101)).toBe(LOWEST);
});

test("with priorities a request starts at the highest priority claimed so far", () => {
  const floors = afterScans(10);
  floors.learn(request(2, [5]), { floorRank: 0, floorPos: 5 }, [claim(8, 3)], 1);
  expect(floors.of(request(10, [70, 30]), 1_001)).toEqual({ floorRank: -3, floorPos: 30 });
});

test("requests scan the whole line again as soon as scans are fast", () => {
  const floors = afterScans(10);
  for (let at = 2_000; at < 4_000; at += 100) {
    const floor = floors.of(request(10), at);
    floors.learn(request(10), floor, [], 0.2);
  }
  expect(floors.of(request(10, [30]), 4_001)).toBe(LOWEST);
});
