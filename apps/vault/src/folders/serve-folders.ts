import type { ServeAll } from "@andon/app";
import { iso } from "@andon/contract";
import { callerFor, deciderFor } from "../caller.ts";
import type { VAULT_ROUTES } from "../contract/routes.ts";
import { checkedName } from "../names/names.ts";
import type { VaultContext } from "../vault-context.ts";
import { createFolder } from "./create-folder.ts";
import { showFolderOperation } from "./folder-operation.ts";
import { relocateFolder } from "./relocate-folder.ts";
import { restoreFolder } from "./restore-folder.ts";
import { showFolder } from "./show-folder.ts";
import { trashFolder } from "./trash-folder.ts";

export function serveFolders(vault: VaultContext): ServeAll<typeof VAULT_ROUTES>["folders"] {
  const { store } = vault.andon;
  const callerOf = (call: Parameters<typeof callerFor>[1]) => callerFor(store, call, "folder");
  return {
    create: (call) => createFolder(vault, call, call.body),
    async show(call) {
      return showFolder(vault.andon, await callerOf(call), call.params.id, call.query);
    },
    async rename(call) {
      const name = checkedName(call.body.newName, vault.settings);
      return relocateFolder(vault, await callerOf(call), call.params.id, "RENAME", { name });
    },
    async move(call) {
      const parentId = call.body.targetFolderId;
      return relocateFolder(vault, await callerOf(call), call.params.id, "MOVE", { parentId });
    },
    async remove(call) {
      const caller = await callerOf(call);
      const { deletedAt, expiresAt, ...trashed } = await trashFolder(vault, caller, call.params.id);
      return {
        ...trashed,
        deletedAt: iso(deletedAt),
        expiresAt: iso(expiresAt),
      };
    },
    restore: async (call) =>
      restoreFolder(vault, await deciderFor(store, call, "folder", call.body.reason), call.params.id),
    async operation(call) {
      const caller = await callerFor(store, call, "folderOperation");
      return showFolderOperation(store, caller, call.params.id);
    },
  };
}
