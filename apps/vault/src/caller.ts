import type { Principal } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { ROOT } from "./folders/folder-row.ts";

/** What has one tenant for all its life, by the table that says which. */
const TENANT_OF = {
  file: 'select tenant_id as "tenantId" from files where id = $1',
  folder: 'select tenant_id as "tenantId" from folders where id = $1',
  folderOperation: 'select tenant_id as "tenantId" from folder_operations where id = $1',
} as const;

/** In which tenant lists are made, and things that lie in no folder: the key's, or `default` where it has none. */
export function tenantOf({ principal }: { principal: Principal }): string {
  return principal.tenantId ?? "default";
}

/**
 * In which tenant a thing is looked for by its id. A key with a tenant never looks anywhere else; one without reaches the
 * things of all tenants, and acts in the tenant that the thing is of. Every tenant's root has the same id: there it is
 * `default`.
 */
export async function tenantOfThing(
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

/** Whose change it is, and the request it comes from. */
export interface Caller {
  readonly tenantId: string;
  readonly traceId?: string | undefined;
}

/** A caller whose change is kept in the audit log. */
export interface Decider extends Caller {
  readonly actor: string;
  readonly reason?: string | undefined;
}

type CallForThing = { principal: Principal; traceId: string; params: { id: string } };

export async function callerFor(
  rows: Pick<Tx, "query">,
  call: CallForThing,
  thing: keyof typeof TENANT_OF,
): Promise<Caller> {
  return { tenantId: await tenantOfThing(rows, call, thing, call.params.id), traceId: call.traceId };
}

export async function deciderFor(
  rows: Pick<Tx, "query">,
  call: CallForThing,
  thing: keyof typeof TENANT_OF,
  reason?: string,
): Promise<Decider> {
  return { ...(await callerFor(rows, call, thing)), actor: call.principal.actor, reason };
}
