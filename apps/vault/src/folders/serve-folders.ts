import type { VAULT_ROUTES } from "@andon/contract";
import type { ServeAll } from "@andon/engine";
import { callerOf, tenantOf } from "../caller.ts";
import { checkedName } from "../names/names.ts";
import type { VaultParts } from "../parts.ts";
import { createFolder } from "./create-folder.ts";
import { showFolderOperation } from "./folder-operation.ts";
import { relocateFolder } from "./relocate-folder.ts";
import { restoreFolder } from "./restore-folder.ts";
import { showFolder } from "./shown-folder.ts";
import { trashFolder } from "./trash-folder.ts";

export function serveFolders(parts: VaultParts): ServeAll<typeof VAULT_ROUTES>["folders"] {
  const { store } = parts.andon;
  return {
    create: (call) => createFolder(parts, call, call.body),
    show: (call) => showFolder(store, tenantOf(call), call.params.id, call.query),
    rename: (call) =>
      relocateFolder(parts, callerOf(call), call.params.id, "RENAME", {
        name: checkedName(call.body.newName, parts.settings),
      }),
    move: (call) =>
      relocateFolder(parts, callerOf(call), call.params.id, "MOVE", { parentId: call.body.targetFolderId }),
    async remove(call) {
      const { deletedAt, expiresAt, ...trashed } = await trashFolder(parts, tenantOf(call), call.params.id);
      return {
        ...trashed,
        deletedAt: new Date(deletedAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
      };
    },
    restore: (call) => restoreFolder(parts, tenantOf(call), call.params.id),
    operation: (call) => showFolderOperation(store, tenantOf(call), call.params.id),
  };
}
