import { Conditions, type PageOf } from "@andon/app";
import { iso } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { Scope } from "../broadcast-context.ts";
import { limitOf } from "./audience.ts";

interface ChannelRow {
  readonly id: string;
  readonly name: string | null;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly createdAt: number;
}

/** Channels by id, of one tenant or of all. */
export async function listChannels(
  store: Store,
  scope: Scope,
  { page, limit, text }: { page: number; limit: number; text?: string | undefined },
): Promise<PageOf<Omit<ChannelRow, "createdAt"> & { createdAt: string }>> {
  const conditions = new Conditions().addText("c.deleted_version is null").within(scope, "c");
  // The last character of Unicode sorts after every id that begins with the text.
  if (text !== undefined) conditions.add("c.id >= ?", text).add("c.id < ?", `${text}\u{10ffff}`);
  const from = `from broadcast_channels c ${conditions.where}`;
  const [count] = await store.scan<{ total: number }>(`select count(*) as total ${from}`, conditions.params);
  const rows = await store.scan<ChannelRow>(
    `select c.id, c.name, c.tenant_id as "tenantId", c.organization_id as "organizationId", c.created_at as "createdAt"
     ${from} order by c.tenant_id, c.id
     ${limitOf(conditions.param(limit))} offset ${conditions.param((page - 1) * limit)}`,
    conditions.params,
  );
  const items = rows.map((row) => ({ ...row, createdAt: iso(row.createdAt) }));
  return { total: Number(count?.total ?? 0), page, limit, items };
}
