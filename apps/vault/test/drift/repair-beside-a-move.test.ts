import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../harness.ts";
import { FlakyVault } from "../sync/flaky-vault.ts";

/** Not on SQLite, which has one writer: a repair and a move never overlap there. */
test("a repair waits for a folder that is being moved, and leaves its files to the move", async () => {
  const vault = await FlakyVault.start("postgres");
  const { server } = vault;
  try {
    const folderId = await server.makeFolder("old");
    const { fileId } = await server.upload({ name: "a", bytes: "bytes of a", folderId });
    await server.synced();
    rmSync(join(vault.nasFolder, "old", "a"));
    const { id } = await server.done("POST", "/admin/vault/verify", { body: {} });
    const run = await until(async () => {
      const found = await server.done("GET", `/admin/vault/verify/${id}`);
      return found.state !== "RUNNING" && found;
    });
    expect(run.findings).toBe(1);

    const waiting = async (count: number) => {
      const [found] = await server.rows<{ waiting: number }>(
        `select count(*) as waiting from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return Number(found?.waiting) >= count;
    };
    const { move, repair } = await server.site.andon.store.transaction("test", async (tx) => {
      // The move stops at this lock: it has queued its operations, and has not committed.
      await tx.query("lock table folder_operations in exclusive mode");
      const move = server.ask("PUT", `/folders/${folderId}/rename`, { body: { newName: "new" } });
      await until(() => waiting(1));
      const repair = server.done("POST", `/admin/vault/verify/${id}/repair`);
      await until(() => waiting(2));
      return { move, repair };
    });
    expect((await move).status).toBe(200);
    expect(await repair).toMatchObject({ queued: 0, left: 1 });
    await server.synced();
    expect(vault.onNas()).toEqual({ "new/a": "bytes of a" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");
  } finally {
    await vault.close();
  }
}, 60_000);
