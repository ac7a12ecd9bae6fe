import { AndonError, type Decision, type Principal, type Scope } from "@andon/contract";
import { DEFAULT_TENANT } from "@andon/engine";

type Narrowed = { tenant?: string; organization?: string };

/** The scope of the jobs that a caller sees; empty means all jobs. Keys of an organisation always have a tenant. */
export function scopeOf({ tenantId, organizationId }: Principal): Narrowed {
  return {
    ...(tenantId === null ? {} : { tenant: tenantId }),
    ...(organizationId === null ? {} : { organization: organizationId }),
  };
}

/** The scope that a caller names, if it is within their own; their own if they name none. */
export function namedScope(
  principal: Principal,
  named: { tenantId?: string | undefined; organizationId?: string | undefined },
): Narrowed {
  const own = scopeOf(principal);
  refuseOutside(own.tenant, named.tenantId);
  refuseOutside(own.organization, named.organizationId);
  const tenant = own.tenant ?? named.tenantId;
  const organization = own.organization ?? named.organizationId;
  return {
    ...(tenant === undefined ? {} : { tenant }),
    ...(organization === undefined ? {} : { organization }),
  };
}

function refuseOutside(own: string | undefined, named: string | undefined): void {
  if (own !== undefined && named !== undefined && named !== own)
    throw new AndonError("PP-403-SCOPE", { given: named });
}

/** The tenant of a lane. Organisations of a tenant share its lanes, so none of them may read or decide about a whole lane. */
export function namedLaneTenant(principal: Principal, tenantId: string | undefined): string {
  const { tenant = DEFAULT_TENANT } = namedScope(principal, { tenantId });
  if (principal.organizationId !== null) throw new AndonError("SCOPE_TOO_NARROW");
  return tenant;
}

export function decisionOf(call: { principal: Principal }, reason: string | undefined): Decision & Scope {
  return {
    actor: call.principal.actor,
    ...(reason === undefined ? {} : { reason }),
    ...scopeOf(call.principal),
  };
}
