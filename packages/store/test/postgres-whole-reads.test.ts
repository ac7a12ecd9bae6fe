import { createDatabase } from "@andon/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../src/index.ts";
import { PostgresDatabase } from "../src/postgres/database.ts";
import { renderedQueries } from "../src/queries.ts";
import { compile } from "../src/statement.ts";

/** Tables that grow with the number of jobs. */
const LARGE = [
  "andon_jobs",
  "andon_claim_log",
  "andon_attempts",
  "andon_events",
  "andon_audit",
  "andon_lanes",
  "andon_lane_jobs",
  "andon_timers",
  "andon_ready",
  "andon_running",
  "andon_ended",
  "andon_bulk",
  "andon_abort_wishes",
  "andon_stages",
  "andon_arrivals",
];

/** Scans without a condition on the index, each with the reason why it does not read all rows, or may. */
const EXCEPTIONS: Record<string, string> = {
  "audit-count-all reads all of andon_audit": "the newest rows, up to a bound",
  "audit-count-whole-all reads all of andon_audit": "counts up to a bound",
  "audit-page-all reads all of andon_audit": "the newest rows, up to a bound",
  "events-last reads all of andon_events": "one row from the end of the index",
  "jobs-last reads all of andon_jobs": "one row from the end of the index",
  "running-longest reads all of andon_running": "sorts what runs, which the workers' places bound",
  "search-last-of-all reads all of andon_jobs": "the newest rows, up to a bound",
  "search-oldest reads all of andon_jobs": "the oldest rows, up to a bound",
  "timers-first reads all of andon_timers": "the first row of the index; from there on from queue to queue",
  "jobs-blocked reads all of andon_lane_jobs":
    "along the positions until the page is full, where most jobs are blocked",
  "jobs-newest-blocked reads all of andon_lane_jobs": "the same from the end",
  "fleet-state reads all of andon_timers": "as timers-first",
  "feed-begins reads all of andon_events": "one row from the beginning of the index",
  "history-oldest reads all of andon_events": "one row from either end of the index",
  "history-oldest reads all of andon_attempts": "one row from the beginning of the index",
  "history-oldest reads all of andon_arrivals": "one row from the beginning of the index",
  "history-last-events reads all of andon_events": "the oldest rows, up to a bound, and one from the end",
  "job-events-delete reads all of andon_events":
    "one row from the end of the index, beside those of the jobs",
  "queue-events-delete reads all of andon_events":
    "one row from the end of the index, beside those of the queue",
  "running-holders reads all of andon_running": "the sweep counts all that run, in one process of a fleet",
  "running-list reads all of andon_running": "the sweep looks at all that run",
  "worker-cancels reads all of andon_running": "no more rows than jobs run; a worker asks once per beat",
};

const ROWS = 20_000;
/** The number of rows in every large table; each queue has a tenth of them. */
const FILL = `
insert into andon_queues (name) select 'queue-' || n from generate_series(0, 9) n;
insert into andon_jobs (pos, id, queue, name, tenant, rank, payload, created_at)
  select n, 'job-' || n, 'queue-' || n % 10, 'x', 'default', 0, '{}', n from generate_series(1, ${ROWS}) n;
insert into andon_ready (queue, rank, pos) select queue, rank, pos from andon_jobs;
insert into andon_running (queue, pos, worker, fence, started_at) select queue, pos, 'w', 1, pos from andon_jobs;
insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, finished_at)
  select pos, 0, 1, 'one', 'completed', 1, 1, pos from andon_jobs;
insert into andon_arrivals (event, at, kept_since) select id, pos, pos from andon_jobs;
insert into andon_ended (pos, queue, state, at, tenant) select pos, queue, 'failed', pos, 'default' from andon_jobs;
insert into andon_bulk (pos) select pos from andon_jobs;
insert into andon_abort_wishes (pos, actor, requested_at, noun) select pos, 'kim', pos, 'job' from andon_jobs;
insert into andon_timers (pos, queue, due_at, kind)
  select pos, queue, pos, case when pos % 2 = 0 then 'later' else 'backoff' end from andon_jobs;
insert into andon_lanes (queue, lane_key, next_seq, head_seq, depth) select queue, 'key-' || pos, 1, 1, 1 from andon_jobs;
insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) select queue, 'key-' || pos, 1, pos, 1 from andon_jobs;
insert into andon_attempts (pos, fence, number, outcome, worker, started_at, finished_at)
  select pos, 1, 1, 'failed', 'w', pos, pos from andon_jobs;
insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select queue, 1, 'w', pos, 1, 1, pos::text, pos::text from andon_jobs;
insert into andon_events (type, at, queue, job_id, tenant, data) select 'job.lost', pos, queue, id, 'default', '{}' from andon_jobs;
insert into andon_audit (id, actor, at, action, target, seq, hash, tenant)
  select id, 'kim', pos, 'job.retry', 'job:' || id, pos, '', 'default' from andon_jobs;`;

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
}

/** Scans without a condition on the first column of the index: they read all of it, and so all of the table. */
function* wholeScans(plan: Plan, firstColumns: ReadonlyMap<string, string>): Generator<string> {
  const table = plan["Relation Name"];
  const isScan = /^(Seq|Index|Index Only) Scan$/.test(plan["Node Type"]);
  const column = firstColumns.get(plan["Index Name"] ?? "");
  const isBounded = column !== undefined && new RegExp(`\\b${column}\\b`).test(plan["Index Cond"] ?? "");
  if (table && isScan && LARGE.includes(table) && !isBounded) yield table;
  for (const part of plan.Plans ?? []) yield* wholeScans(part, firstColumns);
}

const FIRST_COLUMNS = `select c.relname as index, a.attname as column
from pg_index i join pg_class c on c.oid = i.indexrelid join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`;

/** A session keeps its first plan, which may have been made for empty tables and be used on full ones. */
describe.each([
  ["planned for empty tables, with their statistics", ["vacuum analyze"]],
  ["planned for empty tables, without statistics", []],
  ["planned for full tables, with the statistics of empty ones", ["vacuum analyze", FILL]],
  ["planned for full tables, without statistics", [FILL]],
])("%s", (_, before) => {
  let place: Awaited<ReturnType<typeof createDatabase>>;
  let database: PostgresDatabase;

  beforeAll(async () => {
    place = await createDatabase();
    const store = await openStore(place.url);
    await store.migrate();
    await store.close();
    const client = new pg.Client({ connectionString: place.url });
    await client.connect();
    // Autovacuum would update the planner's statistics.
    for (const table of LARGE) await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    for (const statement of before) await client.query(statement);
    await client.end();
    database = new PostgresDatabase(place.url, 1);
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  /** The plan that the store's own session makes for the statement, for any parameters. */
  async function planOf(text: string): Promise<Plan> {
    const { text: numbered, parameters } = compile(text, "$");
    const count = Math.max(
      parameters.length,
      ...[...numbered.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)),
    );
    const ask = <Row>(sql: string) => database.reader.all<Row>(compile(sql, "$"), {});
    await ask(`prepare andon_planned as ${numbered}`);
    const given = Array.from({ length: count }, () => "null").join(", ");
    const [row] = await ask<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (format json) execute andon_planned${count > 0 ? `(${given})` : ""}`,
    );
    await ask("deallocate andon_planned");
    if (!row) throw new Error(`no plan for ${text}`);
    return row["QUERY PLAN"][0].Plan;
  }

  test("no statement reads all of a table that grows with the jobs", async () => {
    const found: string[] = [];
    const rows = await database.reader.raw<{ index: string; column: string }>(FIRST_COLUMNS, []);
    const firstColumns = new Map(rows.map(({ index, column }) => [index, column]));
    for (const [name, text] of renderedQueries("postgres")) {
      if (!LARGE.some((table) => text.includes(table)) && !text.includes("andon_job_states")) continue;
      for (const table of wholeScans(await planOf(text), firstColumns))
        found.push(`${name} reads all of ${table}`);
    }
    expect(found.filter((finding) => !(finding in EXCEPTIONS))).toEqual([]);
  });
});
