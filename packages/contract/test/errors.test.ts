import { describe, expect, test } from "vitest";
import { AndonError, ERROR_CATALOGUE, type ErrorCode, isAndonError } from "../src/errors.ts";

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
/** Messages whose Korean wording is prescribed and names nothing. */
const PRESCRIBED: readonly ErrorCode[] = ["JOB_NOT_FOUND"];
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe.each(CODES)("%s", (code) => {
  const { status, en, ko } = ERROR_CATALOGUE[code];

  test("has a status of HTTP and a message in both languages", () => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(en).toMatch(/[a-z]/);
    expect(ko).toMatch(/[가-힣]/);
  });

  test("tells the same details in both languages", () => {
    expect(placeholders(ko)).toEqual(PRESCRIBED.includes(code) ? [] : placeholders(en));
  });
});

test("an error fills its message from its details, in either language", () => {
  const error = new AndonError("LANE_NOT_FOUND", { queue: "line", key: "a.jpg" });
  expect(error).toMatchObject({ name: "AndonError", code: "LANE_NOT_FOUND", status: 404 });
  expect(error.message).toBe('Queue "line" has no lane "a.jpg".');
  expect(error.in("en")).toBe(error.message);
  expect(error.in("ko")).toBe('큐 "line"에 레인 "a.jpg"가 없습니다.');
});

test("an error about one thing does not speak of several", () => {
  const said = (code: ErrorCode, count: number) => new AndonError(code, { count }).message;
  expect(said("RESUME_UNRESOLVED", 1)).toContain("This queue has 1 unresolved failed job: retry or skip it");
  expect(said("RESUME_UNRESOLVED", 2)).toContain(
    "This queue has 2 unresolved failed jobs: retry or skip them",
  );
  expect(said("PLAN_STALE", 1)).toContain("1 job of the plan has changed since");
});

test("a detail that is missing leaves no placeholder behind", () => {
  for (const code of CODES) {
    const error = new AndonError(code);
    expect(error.message, code).not.toMatch(/[{}]/);
    expect(error.in("ko"), code).not.toMatch(/[{}]/);
  }
});

test("isAndonError tells our errors, and one code from another", () => {
  const error = new AndonError("CLOSED");
  expect(isAndonError(error)).toBe(true);
  expect(isAndonError(error, "CLOSED")).toBe(true);
  expect(isAndonError(error, "CLAIM_LOST")).toBe(false);
  expect(isAndonError(new Error("CLOSED"))).toBe(false);
});
