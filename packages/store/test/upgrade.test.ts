import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Andon } from "@andon/engine";
import { createDatabase } from "@andon/testkit";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { openSqlite } from "../src/sqlite/driver.ts";

const folder = mkdtempSync(join(tmpdir(), "andon-upgrade-"));
const removals: (() => Promise<void>)[] = [];
let files = 0;

afterAll(async () => {
  for (const remove of removals) await remove();
  rmSync(folder, { recursive: true, force: true });
});

/** An empty database and a way to run a script in it, without our store. */
const PLACES = {
  sqlite: async () => {
    const path = join(folder, `${++files}.db`);
    const connection = await openSqlite(path, { readOnly: false });
    return {
      url: `sqlite:${path}`,
      run: async (sql: string) => connection.exec(sql),
      close: async () => connection.close(),
    };
  },
  postgres: async () => {
    const database = await createDatabase();
    removals.push(database.drop);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return {
      url: database.url,
      run: async (sql: string) => void (await client.query(sql)),
      close: () => client.end(),
    };
  },
};

/** Rows as a version wrote them that knew neither tenants in the feed nor a chain in the audit log. */
const OLD_ROWS = `
  insert into andon_queues (name) values ('line');
  insert into andon_jobs (pos, id, queue, name, tenant, lane_keys, seq, rank, payload, state, created_at, fingerprint)
    values (1, 'job-1', 'line', 'line', 'ann', '["kept","kept too"]', 3, 0, '1', 'resolved', 5, 'print');
  insert into andon_lanes (queue, lane_key, next_seq) values ('line', 'kept', 3), ('line', 'kept too', 1), ('line', 'of nobody', 2);
  insert into andon_aside (pos, queue, state, at) values (1, 'line', 'resolved', 7);
  insert into andon_tallies (queue, resolved) values ('line', 1);
  insert into andon_lanes (queue, lane_key, held_at, held_kind, held_by) values ('line', 'held before', 5, 'hand', 'kim');
  insert into andon_audit (id, actor, at, action, target, before_json, after_json)
    values ('audit-1', 'kim', 6, 'job.resolve', 'job:job-1', '{"b":1,"a":2}', 'null'),
           ('audit-2', 'kim', 7, 'queue.stop', 'queue:line', 'null', 'null');
  insert into andon_events (type, at, queue, job_id, data) values ('job.resolved', 6, 'line', 'job-1', '{}');`;

async function oldDatabase(kind: keyof typeof PLACES): Promise<string> {
  const { url, run, close } = await PLACES[kind]();
  await run(
    "create table andon_migrations (migration_set text not null, version integer not null, name text not null, at bigint not null, primary key (migration_set, version))",
  );
  for (const [index, file] of ["001-engine.sql", "002-schedules.sql"].entries()) {
    await run(readFileSync(new URL(`../migrations/${kind}/${file}`, import.meta.url), "utf8"));
    await run(`insert into andon_migrations values ('engine', ${index + 1}, '${file}', 1)`);
  }
  await run(OLD_ROWS);
  await close();
  return url;
}

describe.each(["sqlite", "postgres"] as const)("a database of an older version on %s", (kind) => {
  test("keeps its audit rows, and new ones are chained beside them", async () => {
    const andon = new Andon(await openStore(await oldDatabase(kind)));
    expect(await andon.verifyAudit()).toMatchObject({ holds: true, rows: 0 });
    await andon.queue("line").hold("k", { actor: "lee" });
    expect(await andon.verifyAudit()).toMatchObject({ holds: true, rows: 1 });
    expect((await andon.audit()).items.map((row) => row.actor)).toEqual(["lee", "kim", "kim"]);
    await andon.transaction((tx) => tx.query("delete from andon_audit where id = 'audit-2'"));
    expect((await andon.verifyAudit()).broken).toEqual({ seq: 0, id: null, problem: "unchained" });
    expect((await andon.audit({ tenant: "ann" })).items).toMatchObject([{ target: "job:job-1" }]);
    expect(await andon.store.read.events(0, 10, { tenant: "ann" })).toMatchObject([{ jobId: "job-1" }]);
    expect((await andon.search({ fingerprint: "print", state: "resolved" })).total).toBe(1);
    await andon.close();
  });

  test("knows how many of its lanes are held, and whose jobs have ended", async () => {
    const andon = new Andon(await openStore(await oldDatabase(kind)));
    const queue = andon.queue("line");
    expect((await queue.overview()).heldLanes).toBe(1);
    await queue.release("held before", { actor: "lee" });
    expect((await queue.overview()).heldLanes).toBe(0);
    expect((await andon.search({ queue: "line", tenant: "ann", state: "resolved" })).total).toBe(1);
    await andon.close();
  });

  test("loses the lanes that none of its jobs had, and the others with their last job", async () => {
    const andon = new Andon(await openStore(await oldDatabase(kind)));
    const queue = andon.queue("line");
    const lanes = async () => (await queue.lanes()).items.map(({ key }) => key);
    expect(await lanes()).toEqual(["held before", "kept", "kept too"]);
    expect(await queue.purge()).toBe(1);
    expect(await lanes()).toEqual(["held before"]);
    await andon.close();
  });
});
