import type { Store } from "@andon/engine";
import { BroadcastError } from "../contract/errors.ts";
import type { ChannelOwner } from "./store-channels.ts";
import { nextVersion } from "./versions.ts";

/** Deletes a channel for audiences that are fixed later. Audiences that are already fixed keep it. */
export async function deleteChannel(
  store: Store,
  { tenantId, organizationId }: ChannelOwner,
  id: string,
): Promise<void> {
  await store.transaction("channel-delete", async (tx) => {
    const version = await nextVersion(tx, tenantId);
    const scope = organizationId === null ? "" : "and organization_id = $4";
    const gone = await tx.query(
      `update broadcast_channels set deleted_version = $3
       where tenant_id = $1 and id = $2 and deleted_version is null ${scope} returning id`,
      [tenantId, id, version, ...(organizationId === null ? [] : [organizationId])],
    );
    if (gone.length === 0) throw new BroadcastError("CHANNEL_NOT_FOUND");
  });
}
