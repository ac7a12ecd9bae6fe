import { expect, test } from "vitest";
import { textLines } from "../../src/observe/log-text.ts";

const AT = new Date(2026, 10, 18, 9, 5, 7);

/** The text of a line of the log. */
function textOf(
  fields: Record<string, unknown>,
  options: { isColoured?: boolean; isVerbose?: boolean } = {},
) {
  const toText = textLines({ isColoured: false, isVerbose: false, ...options });
  return toText(
    JSON.stringify({ level: "info", time: AT.toISOString(), service: "andon", pid: 7, ...fields }),
  );
}

test("a line has local time, level, message and its own members, without those of every line", () => {
  const text = textOf({
    level: "warn",
    queue: "mail",
    count: 3,
    roles: ["api", "work"],
    msg: "job attempt failed",
  });
  expect(text).toBe("09:05:07 WARN  job attempt failed  queue=mail  count=3  roles=api,work\n");
});

test("an error is written below its line, with its stack", () => {
  const err = {
    type: "TypeError",
    code: "E_BOOM",
    message: "boom",
    stack: "TypeError: boom\n    at a (b.js:1:2)",
  };
  expect(textOf({ level: "error", err, msg: "no" })).toBe(
    "09:05:07 ERROR no\n  TypeError E_BOOM: boom\n    at a (b.js:1:2)\n",
  );
});

test("read requests are left out, unless they were refused or the log is verbose", () => {
  const read = { method: "GET", path: "/admin/queues", status: 200, ms: 2.5, actor: "admin", msg: "request" };
  expect(textOf(read)).toBe("");
  expect(textOf(read, { isVerbose: true })).toBe("09:05:07 INFO  GET /admin/queues 200 2.5 ms admin\n");
  expect(textOf({ ...read, status: 404 })).toContain("GET /admin/queues 404");
  expect(textOf({ ...read, method: "POST" })).toContain("POST /admin/queues 200");
});

test("a long member is cut, and colours are used only if requested", () => {
  expect(textOf({ text: "x".repeat(500), msg: "m" }).length).toBeLessThan(220);
  const colour = "\u001b[";
  expect(textOf({ msg: "m" })).not.toContain(colour);
  expect(textOf({ msg: "m" }, { isColoured: true })).toContain(`${colour}32mINFO`);
});
