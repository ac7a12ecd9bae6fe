import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutLogins } from "../../src/observe/redaction.ts";

/** The hidden part as a regular expression, which takes quadratic time. */
const PATTERN = /(:\/\/)[^\s/@"]*:[^\s@"]*@/g;

test("a login in an address is hidden anywhere in a line", () => {
  expect(withoutLogins('{"url":"postgres://me:secret@db/x","to":"a@b.c"}')).toBe(
    '{"url":"postgres://***@db/x","to":"a@b.c"}',
  );
  const part = fc.constantFrom("://", ":", "/", "@", '"', " ", "a", "smtp", "\n");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const line = parts.join("");
      expect(withoutLogins(line)).toBe(line.replace(PATTERN, "$1***@"));
    }),
    { numRuns: 2_000 },
  );
});

test("a line built to be slow takes linear time", () => {
  // In quadratic time each of these would take hours, and the test would time out.
  const size = 1_000_000;
  for (const line of [
    `://${":".repeat(size)}`,
    "://a".repeat(size),
    "://a:".repeat(size),
    `${"@".repeat(size)}://`,
    `${"://:".repeat(size)}@`,
    `${"a ".repeat(size)}://`,
  ])
    expect(withoutLogins(line).length).toBeLessThanOrEqual(line.length + 3);
});
