import { iso, type VAULT_ROUTES } from "@andon/contract";
import type { ServeAll } from "@andon/engine";
import { callerFor, deciderFor } from "../caller.ts";
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
  const callerOf = (call: Parameters<typeof callerFor>[1]) => callerFor(store, call, "folder");
  return {
    create: (call) => createFolder(parts, call, call.body),
    async show(call) {
      const { tenantId } = await callerOf(call);
      return showFolder(store, tenantId, call.params.id, call.query);
    },
    async rename(call) {
      const name = checkedName(call.body.newName, parts.settings);
      return relocateFolder(parts, await callerOf(call), call.params.id, "RENAME", { name });
    },
    async move(call) {
      const parentId = call.body.targetFolderId;
      return relocateFolder(parts, await callerOf(call), call.params.id, "MOVE", { parentId });
    },
    async remove(call) {
      const { tenantId } = await callerOf(call);
      const { deletedAt, expiresAt, ...trashed } = await trashFolder(parts, tenantId, call.params.id);
      return {
        ...trashed,
        deletedAt: iso(deletedAt),
        expiresAt: iso(expiresAt),
      };
    },
    restore: async (call) =>
      restoreFolder(parts, await deciderFor(store, call, "folder", call.body.reason), call.params.id),
    async operation(call) {
      const { tenantId } = await callerFor(store, call, "folderOperation");
      return showFolderOperation(store, tenantId, call.params.id);
    },
  };
}
