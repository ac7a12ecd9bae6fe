import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { housekeep } from "../housekeeping.ts";
import { describeFlaky, type FlakyVault, filesBelow } from "../sync/flaky-vault.ts";

async function findings({ server }: FlakyVault) {
  const { id } = await server.done("POST", "/admin/vault/verify", { body: {} });
  await until(async () => (await server.done("GET", `/admin/vault/verify/${id}`)).state !== "RUNNING");
  return { id, items: (await server.done("GET", `/admin/vault/verify/${id}/findings`)).items };
}

const asideIn = ({ nasFolder }: FlakyVault) =>
  filesBelow(nasFolder).filter((path) => path.startsWith(".trash/"));

/** A repair that has quarantined the file in another file's place, and is held before it stored the right bytes. */
async function heldRepair(vault: FlakyVault): Promise<string> {
  const { server, nas } = vault;
  const { fileId } = await server.upload({ name: "a", bytes: "bytes of a" });
  await server.synced();
  writeFileSync(join(vault.nasFolder, "a"), "the first stranger's");
  const { id } = await findings(vault);
  nas.failNext("put", "DENIED");
  await server.done("POST", `/admin/vault/verify/${id}/repair`);
  await vault.untilHeld(fileId);
  expect(asideIn(vault)).toHaveLength(1);
  await server.site.andon.store.transaction("test", (tx) =>
    tx.query("update vault_quarantined set expires_at = 1"),
  );
  return fileId;
}

/** The same operation finds another file at the path again, and quarantines that one too. */
async function quarantineAgain(vault: FlakyVault, fileId: string): Promise<void> {
  writeFileSync(join(vault.nasFolder, "a"), "the second stranger's");
  await vault.server.done("POST", `/admin/sync-queue/${fileId}/retry`, { body: { reason: "test" } });
  await vault.server.synced();
}

async function secondIsKept(vault: FlakyVault): Promise<void> {
  const onNas = vault.onNas();
  expect(Object.values(onNas).sort()).toEqual(["bytes of a", "the second stranger's"]);
  const rows = await vault.server.rows("select path from vault_quarantined");
  expect(rows).toEqual(asideIn(vault).map((path) => ({ path })));
  expect((await findings(vault)).items).toEqual([]);
}

describeFlaky("bytes that one operation quarantines a second time", (it) => {
  it(
    "are not forgotten with the first ones, which expire meanwhile",
    async (vault) => {
      const fileId = await heldRepair(vault);
      const hang = vault.nas.hangNext("removeFolderIfEmpty");
      const cleaned = housekeep(vault.server, "empty-trash");
      await hang.reached;
      await quarantineAgain(vault, fileId);
      hang.release();
      expect((await cleaned)?.state).toBe("done");
      await secondIsKept(vault);
    },
    { attempts: 1, onFinalFailure: "hold-lane" },
  );

  it(
    "are not removed in place of the first ones, which a person has taken",
    async (vault) => {
      const fileId = await heldRepair(vault);
      const hang = vault.nas.hangNext("remove");
      const cleaned = housekeep(vault.server, "empty-trash");
      await hang.reached;
      for (const path of asideIn(vault)) rmSync(join(vault.nasFolder, path));
      await quarantineAgain(vault, fileId);
      hang.release();
      expect((await cleaned)?.state).toBe("done");
      await secondIsKept(vault);
    },
    { attempts: 1, onFinalFailure: "hold-lane" },
  );
});
