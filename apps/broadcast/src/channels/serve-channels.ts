import type { ServeAll } from "@andon/app";
import { type BroadcastContext, ownerOf, scopeOf } from "../broadcast-context.ts";
import type { BROADCAST_ROUTES } from "../contract/routes.ts";
import { deleteChannel } from "./delete-channel.ts";
import { importChannels } from "./import-channels.ts";
import { listImports } from "./import-progress.ts";
import { listChannels } from "./list-channels.ts";
import { TenantMutex } from "./tenant-mutex.ts";

export function serveChannels({ andon }: BroadcastContext): ServeAll<typeof BROADCAST_ROUTES>["channels"] {
  const { store } = andon;
  const mutex = new TenantMutex();
  return {
    add: (call) =>
      importChannels(store, mutex, { ...ownerOf(call), createdBy: call.principal.actor }, call.items()),
    list: (call) => listChannels(store, scopeOf(call), call.query),
    imports: (call) => listImports(store, scopeOf(call), call.query),
    remove: async (call) => {
      const { id } = call.params;
      await deleteChannel(store, ownerOf(call), id);
      return { success: true, id };
    },
  };
}
