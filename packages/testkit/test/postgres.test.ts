import { existsSync } from "node:fs";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { createDatabase, type PostgresServer, startPostgres } from "../src/index.ts";

let server: PostgresServer | undefined;

afterAll(() => server?.stop());

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that ends on purpose breaks its connections; only the result of the query below matters.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("a server keeps its data and port over restart and crash, and removes its data when it stops", async () => {
  server = await startPostgres();
  const { url, port } = server;
  expect(await rows(url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await rows(url, "show fsync")).toEqual([{ fsync: "on" }]);
  const [{ data_directory: folder }] = (await rows(url, "show data_directory")) as [
    { data_directory: string },
  ];

  await rows(url, "create table kept (n int)");
  await rows(url, "insert into kept values (7)");
  const firstPid = server.pid;
  await server.restart();
  expect(server.port).toBe(port);
  expect(server.pid).not.toBe(firstPid);
  expect(await rows(url, "select n from kept")).toEqual([{ n: 7 }]);

  await rows(url, "insert into kept values (8)");
  await server.kill();
  await expect(rows(url, "select 1")).rejects.toThrow("ECONNREFUSED");
  await server.restart();
  expect(await rows(url, "select n from kept order by n")).toEqual([{ n: 7 }, { n: 8 }]);

  expect(existsSync(folder)).toBe(true);
  await server.stop();
  expect(existsSync(folder)).toBe(false);
});

test("databases of the run's server are isolated from each other", async () => {
  expect(process.env.ANDON_TEST_PG).toBe(inject("postgresUrl"));
  const [first, second] = await Promise.all([createDatabase(), createDatabase()]);
  await rows(first.url, "create table only_here (n int)");
  await expect(rows(second.url, "select * from only_here")).rejects.toThrow("does not exist");
  await first.drop();
  await second.drop();
  await expect(rows(first.url, "select 1")).rejects.toThrow("does not exist");
});
