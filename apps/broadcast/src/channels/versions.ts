import type { Tx } from "@andon/engine";

/** Increments the version of a tenant's channels and returns it. The row stays locked until the commit. */
export async function nextVersion(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `insert into broadcast_versions (tenant_id, version) values ($1, 1)
     on conflict (tenant_id) do update set version = broadcast_versions.version + 1 returning version`,
    [tenantId],
  );
  return Number(row?.version);
}

/** The version up to which every change of the tenant's channels is committed; none is under way while the row is locked. */
export async function settledVersion(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `insert into broadcast_versions (tenant_id, version) values ($1, 0)
     on conflict (tenant_id) do update set version = broadcast_versions.version returning version`,
    [tenantId],
  );
  return Number(row?.version);
}
