import { isAndonError } from "@andon/contract";
import { Andon } from "@andon/engine";
import { createDatabase, type TestDatabase } from "@andon/testkit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { inspectStore, openStore, type SqlStore } from "../src/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

const withOptions = (options: string) => `${database.url}?options=${encodeURIComponent(options)}`;

async function open(url: string): Promise<SqlStore> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return store;
}

test("settings of the URL apply beside those of the store, which win if both have the same name", async () => {
  const store = await open(
    withOptions("-c work_mem=8MB -c enable_sort=off -c default_transaction_isolation=serializable"),
  );
  const shown = async (name: string) => Object.values((await store.query(`show ${name}`))[0] ?? {});
  expect(await shown("work_mem")).toEqual(["8MB"]);
  expect(await shown("enable_sort")).toEqual(["off"]);
  expect(await shown("enable_seqscan")).toEqual(["on"]);
  expect(await shown("transaction_isolation")).toEqual(["read committed"]);
});

test("a store uses the schema that the URL's options name, and two stores stay apart", async () => {
  const openIn = async (schema: string) => {
    await (await open(database.url)).query(`create schema ${schema}`);
    const url = withOptions(`-c search_path=${schema}`);
    expect((await inspectStore(url)).versions).toMatchObject([{ set: "engine", found: 0 }]);
    const andon = new Andon(await openStore(url));
    onTestFinished(() => andon.close());
    expect((await inspectStore(url)).versions[0]?.found).toBeGreaterThan(0);
    return andon.queue<string>("line");
  };
  const [north, south] = [await openIn("north"), await openIn("south")];
  await south.add("south");
  await north.add("north");
  const worked = await new Promise((resolve) => {
    void north.work(async ({ payload }) => resolve(payload));
  });
  expect(worked).toBe("north");
  expect((await south.status()).counts.ready).toBe(1);
});

test.each([
  ["schema=shop", "schema", "search_path"],
  ["connection_limit=5", "connection_limit", "`connections`"],
  ["sslmod=require", "sslmod", 'Did you mean "sslmode"?'],
  ["target_session_attrs=read-write", "target_session_attrs", "Known: host, port"],
])("a parameter without effect is refused, with what to use instead: %s", async (parameter, option, hint) => {
  for (const use of [openStore, inspectStore]) {
    const refusal = await use(`${database.url}?${parameter}`).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "UNKNOWN_OPTION", details: { option } });
    expect((refusal as Error).message).toContain(hint);
  }
});

test.each([
  "postgress://kim:geheim@db.example/shop",
  "postgres:kim:geheim@db.example/shop",
  "postgres://kim:ge?heim@db.example/shop",
  "postgres://kim:geheim@db.example:port/shop",
  "postgres://kim:12?geheim@db.example/shop",
  "kim:geheim@db.example/shop",
  "host=db.example user=kim password=geheim",
  "mysql://db.example/shop?password=geheim",
])("an error about an invalid address does not contain its login: %s", async (url) => {
  const refusal = await openStore(url).catch((error: unknown) => error);
  expect(isAndonError(refusal, "STORE_URL")).toBe(true);
  const told = JSON.stringify([refusal, (refusal as Error).message, (refusal as Error).cause]);
  expect(told).not.toMatch(/geheim|ge\?heim|heim@/);
  expect(told).toMatch(/db\.example|"given"/);
});
