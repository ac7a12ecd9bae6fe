import type { Tx } from "@andon/engine";
import { settledVersion } from "./versions.ts";

/**
 * The channels that an audience draws from: those of an organisation if the job belongs to one, otherwise those of the
 * tenant.
 */
export interface Audience {
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly snapshot: number;
}

interface SqlPart {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** The condition that a channel `c` is in the audience; its parameters are `$1` to `$3`. */
export function inAudience({ tenantId, organizationId, snapshot }: Audience): SqlPart {
  // Both forms use `$3`, so that the numbers of later parameters do not change.
  const ofOrganization = organizationId === null ? "cast($3 as text) is null" : "c.organization_id = $3";
  return {
    text: `c.tenant_id = $1 and c.version <= $2 and (c.deleted_version is null or c.deleted_version > $2) and ${ofOrganization}`,
    params: [tenantId, snapshot, organizationId],
  };
}

/**
 * A limit whose value the planner of PostgreSQL does not know, so that it walks along the index of the order. With a known
 * limit and without statistics, as after an import, it sorted all channels behind the cursor: 240 ms per chunk of 200,000
 * channels, against 0.5 ms with this form.
 */
export const limitOf = (param: string) => `limit (select cast(${param} as integer))`;

/** Fixes the audience of a job at its first start: returns how many channels it has. Commits with the start. */
export async function fixAudience(tx: Tx, jobId: string, owner: Omit<Audience, "snapshot">): Promise<number> {
  const snapshot = await settledVersion(tx, owner.tenantId);
  await tx.query("update broadcast_jobs set snapshot = $2 where id = $1", [jobId, snapshot]);
  const audience = inAudience({ ...owner, snapshot });
  const [count] = await tx.query<{ total: number }>(
    `select count(*) as total from broadcast_channels c where ${audience.text}`,
    audience.params,
  );
  return Number(count?.total ?? 0);
}
