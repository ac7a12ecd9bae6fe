import type { ServeAll } from "@andon/app";
import { iso, isoOrNull } from "@andon/contract";
import { callerFor, deciderFor, ownerOf } from "../caller.ts";
import type { VAULT_ROUTES } from "../contract/routes.ts";
import { checkedName } from "../names/names.ts";
import type { VaultContext } from "../vault-context.ts";
import { contentOf } from "./content.ts";
import { fileEntries } from "./entries.ts";
import { findFile } from "./file-row.ts";
import { listFiles } from "./list-files.ts";
import { purgeFile } from "./purge-file.ts";
import { relocate } from "./relocate.ts";
import { restoreFile } from "./restore-file.ts";
import { trashFile } from "./trash-file.ts";
import { upload } from "./upload.ts";
import { UploadBatches } from "./upload-batches.ts";

type FileRoutes = Omit<ServeAll<typeof VAULT_ROUTES>["files"], "syncStatus">;

export function serveFiles(vault: VaultContext): FileRoutes {
  const { store } = vault.andon;
  const batches = new UploadBatches(vault);
  const callerOf = (call: Parameters<typeof callerFor>[1]) => callerFor(store, call, "file");
  return {
    upload: (call) => upload({ vault, batches }, call),
    list: (call) => listFiles(store, ownerOf(call), call.query),
    async show(call) {
      const caller = await callerOf(call);
      const file = await findFile(store, caller, call.params.id);
      const [entry] = await fileEntries(store, caller.tenantId, [file]);
      if (!entry) throw new Error(`file ${file.id} has no entry`);
      return entry;
    },
    async content(call) {
      return contentOf(vault, await callerOf(call), call.params.id, call.signal);
    },
    async rename(call) {
      const name = checkedName(call.body.newName, vault.settings);
      return relocate(vault, await callerOf(call), call.params.id, "RENAME", { name });
    },
    async move(call) {
      const folderId = call.body.targetFolderId;
      return relocate(vault, await callerOf(call), call.params.id, "MOVE", { folderId });
    },
    async remove(call) {
      const remove = call.query.permanent ? purgeFile : trashFile;
      const { deletedAt, expiresAt, ...removed } = await remove(
        vault,
        await deciderFor(store, call, "file"),
        call.params.id,
      );
      return {
        ...removed,
        deletedAt: iso(deletedAt),
        expiresAt: isoOrNull(expiresAt),
      };
    },
    restore: async (call) =>
      restoreFile(vault, await deciderFor(store, call, "file", call.body.reason), call.params.id),
  };
}
