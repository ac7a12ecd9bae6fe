import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";
import { copy, heldMove, write } from "./taken-target.ts";

const HELD = { attempts: 1 };
const reason = "copied by hand";

describeFlaky("a move whose bytes a person copied to the target", (it) => {
  it(
    "ends there when it is retried, and the old bytes are removed",
    async (vault) => {
      const { server } = vault;
      const { fileId } = await heldMove(vault);
      copy(vault, "a/r", "b/r");
      const { choices } = await server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
      expect(choices[0]).toMatchObject({ action: "retry", endsAt: "b/r", matches: true });
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      await server.synced();
      expect(vault.onNas()).toEqual({ "b/r": "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
      for (const folder of ["a", ".trash"]) expect(existsSync(join(vault.nasFolder, folder))).toBe(false);
    },
    HELD,
  );

  it(
    "ends there, also for a move to the trash and back",
    async (vault) => {
      const { server } = vault;
      const { fileId } = await server.upload({ name: "r", bytes: "bytes" });
      await server.synced();
      for (const [to, method, path] of [
        [`.trash/${fileId}/r`, "DELETE", `/files/${fileId}`],
        ["r", "POST", `/files/${fileId}/restore`],
      ] as const) {
        write(vault, to, "bytes");
        await server.done(method, path);
        await server.synced();
        expect(vault.onNas()).toEqual({ [to]: "bytes" });
      }
    },
    HELD,
  );

  it(
    "keeps its bytes if both paths are one file",
    async (vault) => {
      const { server, nasFolder } = vault;
      const { fileId } = await heldMove(vault);
      rmSync(join(nasFolder, "b"), { recursive: true });
      symlinkSync("a", join(nasFolder, "b"));
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      await server.synced();
      expect(readFileSync(join(nasFolder, "b", "r"), "utf8")).toBe("bytes");
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    HELD,
  );

  it(
    "ends there even if it dies between the steps",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await heldMove(vault);
      copy(vault, "a/r", "b/r");
      // The old bytes are quarantined, but not removed.
      nas.failNext("remove", "UNREACHABLE");
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      await until(async () => (await vault.availability(fileId)) === "AVAILABLE");
      expect(vault.onNas()).toMatchObject({ "b/r": "bytes" });
      expect(existsSync(join(vault.nasFolder, "a"))).toBe(false);
      const { id } = await server.done("POST", "/admin/vault/verify", { body: {} });
      const run = await until(async () => {
        const found = await server.done("GET", `/admin/vault/verify/${id}`);
        return found.state !== "RUNNING" && found;
      });
      expect(run).toMatchObject({ state: "DONE", findings: 0 });
    },
    { attempts: 2 },
  );

  it(
    "touches nothing if the source was changed",
    async (vault) => {
      const { server } = vault;
      const { fileId } = await server.upload({ name: "r", bytes: "bytes" });
      await server.synced();
      write(vault, "r", "BYTES");
      write(vault, "b/r", "bytes");
      const body = { targetFolderId: await server.makeFolder("b") };
      await server.done("POST", `/files/${fileId}/move`, { body });
      await vault.untilHeld(fileId);
      expect(vault.onNas()).toEqual({ r: "BYTES", "b/r": "bytes" });
    },
    HELD,
  );

  it(
    "touches nothing if the target is another file's with the same bytes",
    async (vault) => {
      const { server, nas } = vault;
      const [a, b] = [await server.makeFolder("a"), await server.makeFolder("b")];
      const { fileId: other } = await server.upload({ name: "r", bytes: "bytes", folderId: b });
      const { fileId } = await server.upload({ name: "r", bytes: "bytes", folderId: a });
      await server.synced();
      nas.failNext("move", "DENIED");
      await server.done("PUT", `/files/${other}/rename`, { body: { newName: "other" } });
      await vault.untilHeld(other);
      await server.done("POST", `/admin/sync-queue/${other}/skip`, { body: { reason } });
      await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: b } });
      await vault.untilHeld(fileId);
      expect(vault.onNas()).toEqual({ "a/r": "bytes", "b/r": "bytes" });
    },
    HELD,
  );
});
