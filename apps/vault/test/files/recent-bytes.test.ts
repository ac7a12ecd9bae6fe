import { expect, test } from "vitest";
import { RecentBytes } from "../../src/cache/recent-bytes.ts";

const file = (size: number) => ({ cachePath: "20260101/x", bytes: new Uint8Array(size) });

test("a file can be taken once, and the oldest are dropped if there are too many bytes", () => {
  const recent = new RecentBytes();
  recent.keep("first", file(1_000_000));
  for (let n = 0; n < 31; n++) recent.keep(`more-${n}`, file(1_000_000));
  expect(recent.take("first")?.bytes.byteLength).toBe(1_000_000);
  expect(recent.take("first")).toBeUndefined();
  for (let n = 0; n < 32; n++) recent.keep(`other-${n}`, file(1_000_000));
  expect(recent.take("more-0")).toBeUndefined();
  expect(recent.take("other-31")).toBeDefined();
});

test("empty files count too, because they stay if another process does the sync", () => {
  const recent = new RecentBytes();
  for (let n = 0; n < 40_000; n++) recent.keep(`file-${n}`, file(0));
  expect(recent.take("file-0")).toBeUndefined();
  expect(recent.take("file-39999")).toBeDefined();
});
