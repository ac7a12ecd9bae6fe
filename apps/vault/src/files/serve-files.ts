import { iso, isoOrNull, type VAULT_ROUTES } from "@andon/contract";
import type { ServeAll } from "@andon/engine";
import { callerFor, deciderFor, tenantOf } from "../caller.ts";
import { checkedName } from "../names/names.ts";
import type { VaultParts } from "../parts.ts";
import { contentOf } from "./content.ts";
import { fileEntries } from "./entries.ts";
import { findFile } from "./file-row.ts";
import { Intake } from "./intake.ts";
import { listFiles } from "./list-files.ts";
import { purgeFile } from "./purge-file.ts";
import { relocate } from "./relocate.ts";
import { restoreFile } from "./restore-file.ts";
import { trashFile } from "./trash-file.ts";
import { upload } from "./upload.ts";

type FileRoutes = Omit<ServeAll<typeof VAULT_ROUTES>["files"], "syncStatus">;

export function serveFiles(parts: VaultParts): FileRoutes {
  const { store } = parts.andon;
  const intake = new Intake(parts);
  const callerOf = (call: Parameters<typeof callerFor>[1]) => callerFor(store, call, "file");
  return {
    upload: (call) => upload({ parts, intake }, call),
    list: (call) => listFiles(store, tenantOf(call), call.query),
    async show(call) {
      const { tenantId } = await callerOf(call);
      const file = await findFile(store, tenantId, call.params.id);
      const [entry] = await fileEntries(store, tenantId, [file]);
      if (!entry) throw new Error(`file ${file.id} has no entry`);
      return entry;
    },
    async content(call) {
      const { tenantId } = await callerOf(call);
      return contentOf(parts, tenantId, call.params.id, call.signal);
    },
    async rename(call) {
      const name = checkedName(call.body.newName, parts.settings);
      return relocate(parts, await callerOf(call), call.params.id, "RENAME", { name });
    },
    async move(call) {
      const folderId = call.body.targetFolderId;
      return relocate(parts, await callerOf(call), call.params.id, "MOVE", { folderId });
    },
    async remove(call) {
      const remove = call.query.permanent ? purgeFile : trashFile;
      const { deletedAt, expiresAt, ...removed } = await remove(
        parts,
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
      restoreFile(parts, await deciderFor(store, call, "file", call.body.reason), call.params.id),
  };
}
