import type { Principal } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { ROOT } from "./folders/folder-row.ts";
import type { Owner } from "./owner.ts";

/** The queries for the tenant of an item, which never changes. */
const TENANT_OF = {
  file: 'select tenant_id as "tenantId" from files where id = $1',
  folder: 'select tenant_id as "tenantId" from folders where id = $1',
  folderOperation: 'select tenant_id as "tenantId" from folder_operations where id = $1',
} as const;

/** The tenant of lists and of items without a folder: that of the key, or `default` if it has none. */
export function tenantOf({ principal }: { principal: Principal }): string {
  return principal.tenantId ?? "default";
}

/** The owner of the items that a caller's lists show. */
export function ownerOf(call: { principal: Principal }): Owner {
  return { tenantId: tenantOf(call), organizationId: call.principal.organizationId };
}

/**
 * The tenant in which an item is looked up by its id. A key with a tenant or an organisation sees only its own tenant;
 * any other key reaches the items of all tenants, and acts in the tenant of the item. The roots of all tenants have the
 * same id; for it, such a key acts in `default`.
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

/** The owner of a change, and the request that caused it. New items belong to the organisation, if there is one. */
export interface Caller extends Owner {
  readonly traceId?: string | undefined;
}

/** A caller whose change is recorded in the audit log. */
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
