import { expect } from "vitest";
import { housekeep } from "../housekeeping.ts";
import { describeFlaky, type FlakyVault } from "../sync/flaky-vault.ts";

async function renamed({ server }: FlakyVault, folderId: string, newName: string): Promise<string> {
  return (await server.done("PUT", `/folders/${folderId}/rename`, { body: { newName } })).operationId;
}

const known = async ({ server }: FlakyVault) => ({
  operations: (await server.rows<{ id: string }>("select id from folder_operations order by id")).map(
    ({ id }) => id,
  ),
  jobs: (await server.rows("select job_id from folder_operation_jobs")).length,
});

describeFlaky("renames and moves of folders", (it) => {
  it(
    "are deleted when they are old and have ended",
    async (vault) => {
      const { server, nas } = vault;
      const folderId = await server.makeFolder("a");
      for (const name of ["1", "2"]) await server.upload({ name, folderId });
      const otherId = await server.makeFolder("other");
      const { fileId } = await server.upload({ name: "held", folderId: otherId });
      await server.synced();
      const ended = [await renamed(vault, folderId, "b"), await renamed(vault, folderId, "c")];
      await server.synced();
      nas.failNext("move", "DENIED");
      const held = await renamed(vault, otherId, "elsewhere");
      await vault.untilHeld(fileId);
      const endedLater = await renamed(vault, folderId, "d");
      await server.synced();
      const young = await renamed(vault, folderId, "e");
      await server.synced();

      await housekeep(server, "forget-operations");
      expect(await known(vault)).toEqual({ operations: [...ended, held, endedLater, young], jobs: 9 });

      await server.site.andon.store.transaction("test", (tx) =>
        tx.query("update folder_operations set created_at = 1 where id <> $1", [young]),
      );
      expect((await housekeep(server, "forget-operations"))?.state).toBe("done");
      expect(await known(vault)).toEqual({ operations: [held, young], jobs: 3 });
      expect(await server.refused("GET", `/folder-operations/${ended[0]}`)).toMatchObject({ status: 404 });
      expect(await server.done("GET", `/folder-operations/${held}`)).toMatchObject({ state: "HELD" });
    },
    { attempts: 1, onFinalFailure: "hold-lane" },
  );
});
