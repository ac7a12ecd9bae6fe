import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { describeFlaky } from "./flaky-vault.ts";
import { copy, heldMove, write } from "./taken-target.ts";

const HELD = { attempts: 1 };
const reason = "copied by hand";

describeFlaky("a move that is skipped after a person copied its bytes", (it) => {
  for (const choice of ["skip", "cancel"]) {
    it(
      `leaves nothing at the old path, so that the next file of that name can use it (${choice})`,
      async (vault) => {
        const { server } = vault;
        const { fileId, a } = await heldMove(vault);
        copy(vault, "a/r", "b/r");
        const { fileId: next } = await server.upload({ name: "r", bytes: "the next one's", folderId: a });
        await server.done("POST", `/admin/sync-queue/${fileId}/${choice}`, { body: { reason } });
        await server.synced();
        expect(vault.onNas()).toEqual({ "a/r": "the next one's", "b/r": "bytes" });
        expect(await vault.availability(fileId)).toBe("AVAILABLE");
        expect(await vault.availability(next)).toBe("AVAILABLE");
      },
      HELD,
    );
  }

  it(
    "leaves no empty folder",
    async (vault) => {
      const { syncQueueId } = await heldMove(vault);
      copy(vault, "a/r", "b/r");
      await vault.server.done("POST", `/admin/jobs/${syncQueueId}/skip`, { body: { reason } });
      expect(vault.onNas()).toEqual({ "b/r": "bytes" });
      for (const folder of ["a", ".trash"]) expect(existsSync(join(vault.nasFolder, folder))).toBe(false);
    },
    HELD,
  );

  it(
    "leaves other bytes that somebody put at the old path",
    async (vault) => {
      const { fileId } = await heldMove(vault);
      copy(vault, "a/r", "b/r");
      write(vault, "a/r", "BYTES");
      await vault.server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(vault.onNas()).toEqual({ "a/r": "BYTES", "b/r": "bytes" });
    },
    HELD,
  );

  it(
    "is skipped even if the NAS does not remove the old bytes",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await heldMove(vault);
      copy(vault, "a/r", "b/r");
      nas.failNext("move", "DENIED");
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(answer).toMatchObject({ availabilityStatus: "AVAILABLE" });
      expect(vault.onNas()).toEqual({ "a/r": "bytes", "b/r": "bytes" });
    },
    HELD,
  );

  it(
    "removes nothing when it is only simulated",
    async (vault) => {
      const { fileId } = await heldMove(vault);
      copy(vault, "a/r", "b/r");
      await vault.server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
      expect(vault.onNas()).toEqual({ "a/r": "bytes", "b/r": "bytes" });
    },
    HELD,
  );
});
