import type { Store, Tx } from "@andon/engine";
import { BroadcastError } from "../contract/errors.ts";
import { nextVersion } from "./versions.ts";

export interface NewChannel {
  readonly id: string;
  readonly name?: string | undefined;
}

export interface ChannelOwner {
  readonly tenantId: string;
  readonly organizationId: string | null;
}

/** Rows of one statement: with two parameters each, far below what either database takes. */
const ROWS_PER_STATEMENT = 500;

/**
 * Stores channels in one transaction: adds new ones and renames known ones. A key of an organisation changes only that
 * organisation's channels. `storedBefore`: how many channels earlier batches stored, for the error. `alsoWrite` commits with
 * them.
 */
export async function storeChannels(
  store: Store,
  owner: ChannelOwner,
  channels: readonly NewChannel[],
  storedBefore: number,
  alsoWrite: (tx: Tx, stored: number) => Promise<void>,
): Promise<number> {
  const unique = [...new Map(channels.map((channel) => [channel.id, channel])).values()];
  await store.transaction("channels-store", async (tx) => {
    const version = await nextVersion(tx, owner.tenantId);
    for (let at = 0; at < unique.length; at += ROWS_PER_STATEMENT) {
      const some = unique.slice(at, at + ROWS_PER_STATEMENT);
      const stored = await upsert(tx, owner, some, version, store.clock.now());
      const refused = some.find(({ id }) => !stored.has(id));
      if (refused) throw new BroadcastError("NAME_TAKEN", { name: refused.id, stored: storedBefore });
    }
    await alsoWrite(tx, storedBefore + unique.length);
  });
  return unique.length;
}

async function upsert(
  tx: Tx,
  { tenantId, organizationId }: ChannelOwner,
  channels: readonly NewChannel[],
  version: number,
  now: number,
): Promise<Set<string>> {
  const shared = [tenantId, organizationId, version, now];
  const values = channels.map((_, index) => `($1, $${2 * index + 5}, $2, $${2 * index + 6}, $3, $4, $4)`);
  const rows = await tx.query<{ id: string }>(
    `insert into broadcast_channels (tenant_id, id, organization_id, name, version, created_at, updated_at)
     values ${values.join(", ")}
     on conflict (tenant_id, id) where deleted_version is null
     do update set name = coalesce(excluded.name, broadcast_channels.name), updated_at = excluded.updated_at
     where excluded.organization_id is null or excluded.organization_id = broadcast_channels.organization_id
     returning id`,
    [...shared, ...channels.flatMap(({ id, name }) => [id, name ?? null])],
  );
  return new Set(rows.map(({ id }) => id));
}
