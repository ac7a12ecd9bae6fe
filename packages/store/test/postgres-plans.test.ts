import { createDatabase } from "@andon/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../src/index.ts";
import { renderedQueries } from "../src/queries.ts";
import { compile } from "../src/statement.ts";

/** The settings of a store's connection: a plan is made once, for any later contents of the tables. */
const PLANNER =
  "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off";
const queries = renderedQueries("postgres");

let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  const store = await openStore(database.url);
  await store.migrate();
  await store.close();
  client = new pg.Client({ connectionString: database.url, options: PLANNER });
  await client.connect();
  // The planner's knowledge of a fresh store: every table is empty, so any way to a row looks cheap.
  await client.query("vacuum analyze");
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Deleting a lane's head from a line of 100,000 took 0.4 s while the planner could choose to start at the line. */
test.each([
  ["ready-leave", "andon_ready", ["pos = ANY", "rank = ANY"]],
  ["claims-lock", "andon_running", ["pos = ANY", "queue = ANY"]],
  ["timers-leave", "andon_timers", ["pos = ANY"]],
  ["lane-leave", "andon_lane_jobs", ["pos = ANY"]],
  ["lane-membership", "andon_lane_jobs", ["pos = ANY"]],
  ["lanes-hold", "andon_lanes", ["lane_key = ANY"]],
  ["lanes-count-gone", "andon_lanes", ["lane_key = ANY"]],
  ["lanes-drop-emptied", "andon_lanes", ["lane_key = ANY"]],
  ["jobs-lanes", "andon_jobs", ["pos = ANY"]],
  ["jobs-lock", "andon_jobs", ["pos = ANY"]],
  ["share-out-jobs", "andon_jobs", ["pos = ANY"]],
  ["share-out-line", "andon_ready", ["ROW(queue, rank, pos) >", "queue <="]],
  ["share-out-take", "andon_ready", ["rank = ANY", "pos = ANY"]],
  ["share-out-laned", "andon_lane_jobs", ["ROW(queue, lane_key, seq) >", "queue <="]],
  ["bulk-many", "andon_bulk", ["pos = ANY"]],
  ["bulk-chunk", "andon_bulk", ["pos ="]],
  ["abort-wishes", "andon_abort_wishes", ["pos = ANY"]],
  ["tallies-sum", "andon_tallies", ["id > 0"]],
  ["history-ended", "andon_history", ["queue = ANY", "step =", "at >="]],
  ["queues-overview", "andon_queues", ["name = ANY"]],
  ["queues-overview", "andon_jobs", ["pos = "]],
  ["queues-overview", "andon_ready", ["queue = q.name"]],
  ["queues-overview", "andon_claim_log", ["queue >= q.name", "queue <= q.name"]],
  ["idempotency-known", "andon_idempotency", ["queue =", "tenant =", "idempotency_key ="]],
  // For a queue with few rows among many of others: only this index may be used.
  ["jobs-scheduled", "andon_timers", ["ROW(queue, kind) >=", "ROW(queue, kind) <="]],
  ["jobs-newest-scheduled", "andon_timers", ["ROW(queue, kind) >=", "ROW(queue, kind) <="]],
  ["ended-between", "andon_ended", ["ROW(queue, state, at, pos) >", "ROW(queue, state, at, pos) <="]],
  ["ended-last", "andon_ended", ["ROW(queue, state) >=", "ROW(queue, state) <="]],
  ["lane-positions", "andon_lane_jobs", ["queue =", "lane_key =", "seq >"]],
  ["jobs-by-pos", "andon_jobs", ["pos = ANY"]],
  ["jobs-by-pos", "andon_ready", ["queue =", "rank =", "pos ="]],
  ["jobs-planned", "andon_jobs", ["pos = ANY"]],
  ["jobs-planned", "andon_ready", ["queue =", "rank =", "pos ="]],
  ["jobs-lane-keys", "andon_jobs", ["pos = ANY"]],
  ["operations-page-queue", "andon_operations", ["queue >=", "queue <="]],
  ["ended-positions", "andon_ended", ["ROW(queue, state) >=", "ROW(queue, state) <="]],
  ["claim-log-last-claim", "andon_claim_log", ["queue >=", "queue <="]],
  ["claim-log-last-old", "andon_claim_log", ["queue >=", "queue <="]],
  ["claim-log-old", "andon_claim_log", ["queue >=", "queue <="]],
  ["audit-page-target", "andon_audit", ["target >=", "target <="]],
  ["audit-page-tenant", "andon_audit", ["tenant >=", "tenant <="]],
  ["audit-page-actor", "andon_audit", ["actor >=", "actor <="]],
  ["audit-page-action", "andon_audit", ["action >=", "action <="]],
  ["audit-page-at", "andon_audit", ["at >=", "at <"]],
])("%s finds its rows in %s by their keys, with plans made for empty tables", async (name, table, keys) => {
  const { rows } = await client.query(`explain (generic_plan) ${compile(queries.get(name) ?? "", "$").text}`);
  const plan = rows.map((row) => row["QUERY PLAN"] as string);
  const scan = plan.findIndex((line) => line.includes(`using ${table}`) && line.includes(` on ${table}`));
  const condition = plan[scan + 1] ?? "";
  expect(plan.join("\n")).not.toMatch(/Seq Scan|Join/);
  for (const key of keys) expect(condition).toContain(key);
});
