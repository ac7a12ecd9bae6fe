import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { statementsOf, wholeReads } from "@andon/testkit";
import { expect, test } from "vitest";
import { housekeep } from "./housekeeping.ts";
import { FlakyVault } from "./sync/flaky-vault.ts";

/** So many rows that PostgreSQL prefers an index wherever one fits. */
const MANY = 3_000;
const LARGE = [
  "files",
  "file_storage_objects",
  "vault_operations",
  "folder_operations",
  "folder_operation_jobs",
  "andon_jobs",
  "andon_ended",
  "server_alerts",
];
/** The watcher of alerts runs every other second. */
const ONE_LOOK_MS = 2_500;

async function fill({ server }: FlakyVault): Promise<void> {
  const { store } = server.site.andon;
  const other = server.site.andon.queue("other");
  const jobs = await other.addMany(Array.from({ length: MANY }, (_, n) => ({ n })));
  const ids = jobs.map(({ id }) => id);
  for (const sql of [
    `insert into files
  (id, tenant_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by, created_at, updated_at)
select 'file-' || n, 'stranger', 'elsewhere', n, n, 'ACTIVE', 1, 'text/plain', '', 'kim', n, n from generate_series(1, ${MANY}) n`,
    `insert into file_storage_objects (id, file_id, storage_type, availability_status, path, updated_at)
select 'object-' || n, 'file-' || n, 'NAS', 'AVAILABLE', 'stranger/' || n, n from generate_series(1, ${MANY}) n`,
    `insert into server_alerts
  (id, type, occasion, severity, queue, subject, details, fired_at, resolved_at)
select 'alert-' || n, 'LANE_HELD', 'held', 'WARNING', 'other', n, '{}', n, n from generate_series(1, ${MANY}) n`,
    `insert into folder_operations (id, tenant_id, folder_id, kind, total, created_at)
select 'operation-' || n, 'stranger', 'elsewhere', 'MOVE', 1, ${Date.now()} from generate_series(1, ${MANY}) n`,
    `insert into folder_operation_jobs (operation_id, job_id)
select 'operation-' || n, 'job-' || n from generate_series(1, ${MANY}) n`,
    `insert into andon_ended (pos, queue, state, at, tenant) select -n, 'other', 'cancelled', n, 'default' from generate_series(1, ${MANY}) n`,
  ])
    await store.query(sql);
  for (let from = 0; from < MANY; from += 500) {
    const values = ids.slice(from, from + 500).map((id) => `('${randomUUID()}', '${id}', 0)`);
    await store.query(
      `insert into vault_operations (file_id, job_id, created_at) values ${values.join(", ")}`,
    );
  }
  await store.query("analyze");
}

test("no request about a few files reads a whole table on PostgreSQL", {
  timeout: 60_000,
}, async () => {
  const vault = await FlakyVault.start("postgres", { attempts: 1, onFinalFailure: "hold-lane" });
  try {
    await fill(vault);
    const { server, nas } = vault;
    const { store } = server.site.andon;
    const statements = await statementsOf(async () => {
      const folder = await server.done("POST", "/folders", { body: { name: "a" } });
      await server.upload({ name: "kept", folderId: folder.id });
      await server.synced();
      nas.failNext("put", "DENIED");
      const { fileId } = await server.upload({ name: "held", folderId: folder.id });
      await vault.untilHeld(fileId);
      for (const list of ["/files?", "/files?availabilityStatus=ERROR&", `/folders/${folder.id}?`]) {
        await server.done("GET", `${list}page=2`);
        await server.done("GET", `${list}text=ke&page=2`);
      }
      await server.done("GET", "/admin/sync-queue/held");
      await server.done("GET", "/admin/alerts?queue=nas-sync");
      await server.done("GET", "/admin/alerts?queue=nas-sync&state=resolved");
      await server.done("GET", "/admin/alerts?type=FILE_SYNC_FAILED");
      await pause(ONE_LOOK_MS);
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`, { body: { reason: "test" } });
      await server.synced();
      const { operationId } = await server.done("PUT", `/folders/${folder.id}/rename`, {
        body: { newName: "b" },
      });
      await server.synced();
      await server.done("DELETE", `/files/${fileId}`);
      await server.done("GET", "/trash");
      await server.synced();
      await server.done("POST", `/files/${fileId}/restore`, { body: {} });
      await server.synced();
      await server.done("DELETE", `/files/${fileId}?permanent=true`);
      await server.synced();
      await server.done("DELETE", `/folders/${await server.makeFolder("expired")}`);
      await store.transaction("test", (tx) => tx.query("update trash_metadata set expires_at = 1"));
      await housekeep(server, "empty-trash");
      await store.transaction("test", (tx) =>
        tx.query("update folder_operations set created_at = 1 where id = $1", [operationId]),
      );
      await housekeep(server, "forget-operations");
    });
    expect(statements.size).toBeGreaterThan(50);
    const found = await store.transaction("test", (tx) => wholeReads(tx, statements, LARGE));
    // Open alerts are read completely, with an index that contains only them.
    expect(found.filter((line) => !line.includes("server_alerts_open_occasion"))).toEqual([]);
  } finally {
    await vault.close();
  }
});
