import type { Principal } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { ROOT } from "./folders/folder-row.ts";
import type { Owner } from "./owner.ts";

/** What has one tenant for all its life, by the table that says which. */
const TENANT_OF = {
  file: 'select tenant_id as "tenantId" from files where id = $1',
  folder: 'select tenant_id as "tenantId" from folders where id = $1',
  folderOperation: 'select tenant_id as "tenantId" from folder_operations where id = $1',
} as const;

/** The tenant of lists and of items without a folder: that of the key, or `default` if it has none. */
export function tenantOf({ principal }: { principal: Principal }): string {
  return principal.tenantId ?? "default";
}

/** Whose things a caller's lists show. */
export function ownerOf(call: { principal: Principal }): Owner {
  return { tenantId: tenantOf(call), organizationId: call.principal.organizationId };
}

/**
 * In which tenant a thing is looked for by its id. A key with a tenant never looks anywhere else; one without reaches the
 * things of all tenants, and acts in the tenant that the thing is of. Every tenant's root has the same id: there it is
 * `default`.
 */
export async function tenantOfItem(
  rows: Pick<Tx, "query">,
  call: { principal: Principal },
  thing: keyof typeof TENANT_OF,
  id: string,
): Promise<string> {
  const isScoped = call.principal.tenantId !== null || call.principal.organizationId !== null;
  if (isScoped || id === ROOT) return tenantOf(call);
  const [found] = await rows.query<{ tenantId: string }>(TENANT_OF[thing], [id]);
  return found?.tenantId ?? tenantOf(call);
}

/** Whose change it is, and the request it comes from. What it makes is of the organisation, where it has one. */
export interface Caller extends Owner {
  readonly traceId?: string | undefined;
}

/** A caller whose change is kept in the audit log. */
export interface Decider extends Caller {
  readonly actor: string;
  readonly reason?: string | undefined;
}

type CallForItem = { principal: Principal; traceId: string; params: { id: string } };

export async function callerFor(
  rows: Pick<Tx, "query">,
  call: CallForItem,
  thing: keyof typeof TENANT_OF,
): Promise<Caller> {
  const { organizationId } = call.principal;
  const tenantId = await tenantOfItem(rows, call, thing, call.params.id);
  return { tenantId, organizationId, traceId: call.traceId };
}

export async function deciderFor(
  rows: Pick<Tx, "query">,
  call: CallForItem,
  thing: keyof typeof TENANT_OF,
  reason?: string,
): Promise<Decider> {
  return { ...(await callerFor(rows, call, thing)), actor: call.principal.actor, reason };
}
