import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@andon/store";
import { startPostgres } from "@andon/testkit";
import fastify from "fastify";
import { expect, test } from "vitest";
import { answerWithProblems } from "../../src/http/problems.ts";
import { TestServer, until } from "../harness.ts";

async function sql(url: string, ...texts: string[]): Promise<void> {
  const store = await openStore(url);
  for (const text of texts) await store.query(text);
  await store.close();
}

const PAUSE = ["POST", "/admin/queue/pause"] as const;
const CUT = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'worker'";

/** Statements that make the server's database refuse connections or writes, and that end the refusal. */
const REFUSALS = [
  {
    what: "has too many clients",
    sick: "alter role worker connection limit 0",
    well: "alter role worker connection limit -1",
    problem: /too many connections/,
  },
  {
    what: "accepts no connections",
    sick: "alter database site allow_connections false",
    well: "alter database site allow_connections true",
    problem: /not currently accepting connections/,
  },
  {
    what: "is read-only after a failover",
    sick: "alter database site set default_transaction_read_only = on",
    well: "alter database site reset default_transaction_read_only",
    problem: /read-only transaction/,
  },
];

test.each(REFUSALS)(
  "a PostgreSQL that $what is reported as unavailable, with the reason, until it recovers",
  async ({ sick, well, problem }) => {
    const postgres = await startPostgres();
    await sql(postgres.url, "create role worker login", "create database site owner worker");
    const store = postgres.url.replace("postgres@", "worker@").replace(/postgres$/, "site");
    const server = await TestServer.start("sqlite", { store });
    try {
      await sql(postgres.url, sick, CUT);
      const refused = await until(async () => {
        const asked = await server.refused(...PAUSE);
        // The first answer may be about a connection that was cut while idle.
        return problem.test(String(asked.message)) && asked;
      });
      expect(refused).toMatchObject({ status: 503, error: "STORE_UNAVAILABLE" });
      expect(JSON.stringify(refused)).not.toContain("stack");
      expect((await server.ask("GET", "/readyz")).status).toBe(503);
      await sql(postgres.url, well);
      await until(async () => (await server.ask("GET", "/readyz")).status === 200);
      await until(async () => (await server.ask(...PAUSE)).status === 200);
    } finally {
      await server.close();
      await postgres.stop();
    }
  },
);

test("a SQLite file on a full disk is reported as unavailable, with the reason, until there is space", async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-full-"));
  const settings = { store: `sqlite:${join(folder, "andon.db")}`, queues: { mail: {} } };
  const server = await TestServer.start("sqlite", settings);
  const { store } = server.site.andon;
  const pages = (most: number) =>
    store.transaction("test", (tx) => tx.query(`pragma max_page_count = ${most}`));
  const add = () => server.ask("POST", "/admin/queues/mail/jobs", { body: { payload: "x".repeat(100_000) } });
  try {
    await pages(1).catch(() => {});
    const { status, body } = await until(async () => {
      const reply = await add();
      return reply.status >= 300 && reply;
    });
    expect([status, body.error, body.message]).toEqual([
      503,
      "STORE_UNAVAILABLE",
      expect.stringContaining("disk is full"),
    ]);
    await pages(1_000_000);
    await until(async () => (await add()).status < 300);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a statement that exceeds the server's memory is reported as such", async () => {
  const postgres = await startPostgres();
  const store = await openStore(postgres.url);
  const app = fastify();
  answerWithProblems(app, store);
  app.get("/locks", () =>
    store.query("select count(pg_advisory_xact_lock(n)) from generate_series(1, 1000000) as n"),
  );
  try {
    const { statusCode, body } = await app.inject("/locks");
    expect([statusCode, body]).toEqual([503, expect.stringContaining("STORE_UNAVAILABLE")]);
    expect(body).toContain("out of shared memory");
  } finally {
    await app.close();
    await store.close();
    await postgres.stop();
  }
});
