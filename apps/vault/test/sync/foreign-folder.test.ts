import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";

describeFlaky("an empty folder of another program at a file's path", (it) => {
  it(
    "stays, and the upload of the file is held until the folder is removed",
    async (vault) => {
      const { server, nasFolder } = vault;
      const taken = join(nasFolder, "a");
      mkdirSync(taken, { recursive: true });
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await vault.untilHeld(fileId);
      expect(statSync(taken).isDirectory()).toBe(true);
      const { items } = await server.done("GET", "/admin/queue/failed");
      expect(items[0].failedReason).toContain("TARGET_EXISTS");

      rmdirSync(taken);
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      await server.synced();
      expect(vault.onNas()).toEqual({ a: "bytes" });
    },
    { attempts: 1 },
  );

  it(
    "stays, and a move to its path leaves the bytes where they were",
    async (vault) => {
      const { server, nasFolder } = vault;
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await server.synced();
      const taken = join(nasFolder, "b");
      mkdirSync(taken);
      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
      await vault.untilHeld(fileId);
      expect(statSync(taken).isDirectory()).toBe(true);
      expect(existsSync(join(nasFolder, "a"))).toBe(true);
    },
    { attempts: 1 },
  );

  it(
    "stays even when a repair uploads the bytes again, and the simulation shows it",
    async (vault) => {
      const { server, nasFolder } = vault;
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await server.synced();
      const taken = join(nasFolder, "a");
      rmSync(taken);
      const { id } = await server.done("POST", "/admin/vault/verify");
      await until(async () => (await server.done("GET", `/admin/vault/verify/${id}`)).state === "DONE");
      mkdirSync(taken);
      await server.done("POST", `/admin/vault/verify/${id}/repair`);
      await vault.untilHeld(fileId);
      const { occupied } = await server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
      expect(occupied).toMatchObject({ path: "a", kind: "folder" });
      expect(statSync(taken).isDirectory()).toBe(true);
    },
    { attempts: 1 },
  );
});
