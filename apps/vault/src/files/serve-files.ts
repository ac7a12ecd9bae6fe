import type { VAULT_ROUTES } from "@andon/contract";
import type { ServeAll } from "@andon/engine";
import { callerOf, tenantOf } from "../caller.ts";
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
  return {
    upload: (call) => upload({ parts, intake }, call),
    list: (call) => listFiles(store, tenantOf(call), call.query),
    async show(call) {
      const tenantId = tenantOf(call);
      const file = await findFile(store, tenantId, call.params.id);
      const [entry] = await fileEntries(store, tenantId, [file]);
      if (!entry) throw new Error(`file ${file.id} has no entry`);
      return entry;
    },
    content: (call) => contentOf(parts, tenantOf(call), call.params.id, call),
    rename: (call) =>
      relocate(parts, callerOf(call), call.params.id, "RENAME", {
        name: checkedName(call.body.newName, parts.settings),
      }),
    move: (call) =>
      relocate(parts, callerOf(call), call.params.id, "MOVE", { folderId: call.body.targetFolderId }),
    async remove(call) {
      const remove = call.query.permanent ? purgeFile : trashFile;
      const { deletedAt, expiresAt, ...removed } = await remove(parts, callerOf(call), call.params.id);
      return {
        ...removed,
        deletedAt: new Date(deletedAt).toISOString(),
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      };
    },
    restore: (call) => restoreFile(parts, callerOf(call), call.params.id),
  };
}
