import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutLogins } from "../../src/observe/redaction.ts";

/** What is hidden, said shortly; it takes time by the square of its input. */
const PATTERN = /(:\/\/)[^\s/@"]*:[^\s@"]*@/g;

test("a login in an address is hidden, wherever it stands", () => {
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

test("a line made to be slow takes no longer than its length asks for", () => {
  // By the square these would take hours each, and the test would run out of time.
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
