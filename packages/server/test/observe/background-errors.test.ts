import { startPostgres } from "@andon/testkit";
import { afterEach, expect, test } from "vitest";
import { openBackgroundErrors } from "../../src/observe/background-errors.ts";
import { openLog } from "../../src/observe/log.ts";
import { TestServer, until } from "../harness.ts";

const away = new Error("the store is away");

/** A store that answers only when the test allows it, and a clock that the test moves. */
function outage() {
  const lines: { level: string; msg: string; err?: { message: string } }[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const looks: (() => unknown)[] = [];
  const state = { isUp: false };
  const errors = openBackgroundErrors(
    {
      isUnavailable: (error) => error === away,
      ready: async () => {
        if (!state.isUp) throw away;
      },
      clock: {
        now: () => 0,
        monotonic: () => 0,
        after(_ms, callback) {
          looks.push(callback);
          return () => looks.splice(looks.indexOf(callback), 1);
        },
      },
    },
    log,
  );
  return { errors, lines, looks, state, look: async () => looks.shift()?.() };
}

test("a store outage is logged once, and its end once", async () => {
  const { errors, lines, looks, state, look } = outage();
  for (let n = 0; n < 10; n++) errors.tell(away);
  await look();
  errors.tell(away);
  expect(lines).toMatchObject([{ level: "error", err: { message: away.message } }]);
  expect(lines[0]?.msg).toMatch("the store is away");
  state.isUp = true;
  await look();
  expect(lines.slice(1)).toMatchObject([
    { level: "info", msg: expect.stringContaining("the store is back") },
  ]);
  expect(looks).toEqual([]);
  errors.tell(away);
  expect(lines).toHaveLength(3);
});

test("every other error is logged, also during an outage", () => {
  const { errors, lines } = outage();
  errors.tell(new Error("one"));
  errors.tell(away);
  errors.tell(new Error("two"));
  errors.tell(new Error("two"));
  expect(lines.map(({ err }) => err?.message)).toEqual(["one", away.message, "two", "two"]);
});

test("the store is not checked after the close", () => {
  const { errors, looks } = outage();
  errors.tell(away);
  errors.close();
  expect(looks).toEqual([]);
  const late = outage();
  late.errors.close();
  late.errors.tell(away);
  expect(late.looks).toEqual([]);
});

let stop: (() => Promise<unknown>) | undefined;
afterEach(() => stop?.());

test("a server whose PostgreSQL restarts logs two lines, however much fails in the meantime", async () => {
  const postgres = await startPostgres();
  stop = postgres.stop;
  const lines: string[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(line) });
  const server = await TestServer.start("sqlite", { store: postgres.url }, { log });
  stop = () => server.close().finally(postgres.stop);
  let failed = 0;
  const { store } = server.site.andon;
  const { look } = store;
  store.look = (request) =>
    look.call(store, request).catch((error: unknown) => {
      failed++;
      throw error;
    });
  const told = (text: string) => lines.filter((line) => line.includes(text)).length;

  await postgres.kill();
  await until(async () => failed > 2 && told("the store is away") > 0);
  await postgres.restart();
  await until(async () => told("the store is back") > 0);
  expect(told("the store is away")).toBe(1);
  expect(told("work in the background failed")).toBe(0);
});
