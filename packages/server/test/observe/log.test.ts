import { AndonError } from "@andon/contract";
import { expect, test } from "vitest";
import { openLog } from "../../src/observe/log.ts";

function logInto(level: "debug" | "info" = "info") {
  const lines: string[] = [];
  const log = openLog(level, { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

const SECRET = "hunter2";

test.each<[string, Record<string, unknown>]>([
  ["a header", { headers: { authorization: `Bearer ${SECRET}`, cookie: `andon_session=${SECRET}` } }],
  ["a header of an answer", { res: { headers: { "set-cookie": [`andon_session=${SECRET}`] } } }],
  ["a token, deep down", { a: { b: [{ c: { token: SECRET, adminToken: SECRET } }] } }],
  ["a secret of a channel", { channels: [{ type: "webhook", secret: SECRET, smtp: SECRET }] }],
  ["a password", { store: { password: SECRET, smtpPassword: SECRET } }],
  ["a payload", { job: { payload: { name: SECRET } }, payload: SECRET }],
  [
    "an error's own members",
    { err: Object.assign(new Error("no"), { parameters: [SECRET], detail: SECRET }) },
  ],
  ["an error's details", { err: new AndonError("INTERNAL", { given: SECRET }) }],
  ["an error below another name", { failure: Object.assign(new Error("no"), { row: SECRET }) }],
  [
    "the cause of an error",
    { err: new Error("no", { cause: Object.assign(new Error("x"), { row: SECRET }) }) },
  ],
  ["an address with a login", { url: `postgres://andon:${SECRET}@db:5432/andon` }],
  ["an address in an error", { err: new Error(`cannot reach smtp://me:${SECRET}@mail`) }],
])("%s is not written", (_what, fields) => {
  const { log, lines } = logInto();
  log.error(fields, "something happened");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("something happened");
  expect(lines[0]).not.toContain(SECRET);
});

test("a login in an address in the message itself is not written either", () => {
  const { log, lines } = logInto();
  log.info(`connected to redis://:${SECRET}@cache:6379`);
  expect(JSON.parse(lines[0] as string).msg).toBe("connected to redis://***@cache:6379");
});

test("a line is JSON with level, time, service and the given members", () => {
  const { log, lines } = logInto();
  log.warn(
    { queue: "mail", err: Object.assign(new TypeError("boom"), { code: "E_BOOM" }) },
    "job attempt failed",
  );
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    service: "andon",
    pid: process.pid,
    queue: "mail",
    err: {
      type: "TypeError",
      message: "boom",
      code: "E_BOOM",
      stack: expect.stringContaining("log.test.ts"),
    },
    msg: "job attempt failed",
  });
});

test("lines below the level are left out", () => {
  const { log, lines } = logInto("info");
  log.debug("no");
  expect(lines).toEqual([]);
});
