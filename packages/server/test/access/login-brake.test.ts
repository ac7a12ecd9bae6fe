import { describe, expect, test } from "vitest";
import { LoginBrake } from "../../src/access/login-brake.ts";

function brakeAt() {
  const time = { now: 1_000 };
  const brake = new LoginBrake(() => time.now);
  const fail = (times: number, address = "a") => {
    for (let i = 0; i < times; i++) brake.failed(address);
  };
  return { time, brake, fail };
}

describe("the brake on failed logins", () => {
  test("lets four failures within a minute pass, and adds a wait after the fifth", () => {
    const { brake, fail, time } = brakeAt();
    fail(4);
    expect(brake.secondsToWait("a")).toBe(0);
    fail(1);
    expect(brake.secondsToWait("a")).toBe(5);
    time.now += 4_001;
    expect(brake.secondsToWait("a")).toBe(1);
    time.now += 999;
    expect(brake.secondsToWait("a")).toBe(0);
  });

  test("doubles the wait with each failure after a wait, up to five minutes", () => {
    const { brake, fail, time } = brakeAt();
    fail(4);
    const waits = Array.from({ length: 9 }, () => {
      fail(1);
      const seconds = brake.secondsToWait("a");
      time.now += seconds * 1_000;
      return seconds;
    });
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test("forgets failures that are more than a minute old", () => {
    const { brake, fail, time } = brakeAt();
    fail(4);
    time.now += 60_001;
    fail(4);
    expect(brake.secondsToWait("a")).toBe(0);
  });

  test("remembers for a minute after the wait, then forgets", () => {
    const { brake, fail, time } = brakeAt();
    fail(5);
    time.now += 5_000 + 60_000;
    fail(1);
    expect(brake.secondsToWait("a")).toBe(10);
    time.now += 10_000 + 60_001;
    fail(1);
    expect(brake.secondsToWait("a")).toBe(0);
  });

  test("forgets everything after a success, separately for each address", () => {
    const { brake, fail } = brakeAt();
    fail(5);
    fail(5, "b");
    brake.succeeded("a");
    expect([brake.secondsToWait("a"), brake.secondsToWait("b")]).toEqual([0, 5]);
  });

  test("keeps ten thousand addresses and drops the one with the oldest failure", () => {
    const { brake, fail } = brakeAt();
    fail(5, "first");
    fail(5, "second");
    for (let i = 0; i < 9_998; i++) brake.failed(`other-${i}`);
    fail(1, "first");
    brake.failed("one too many");
    expect(brake.secondsToWait("first")).toBe(10);
    expect(brake.secondsToWait("second")).toBe(0);
  });
});
