import { AndonError, type Decision, type Principal } from "@andon/contract";

/** The tenant whose jobs a caller sees; undefined: everybody's. Keys of an organisation always have a tenant. */
export function tenantOf(principal: Principal): string | undefined {
  return principal.tenantId ?? undefined;
}

/** The tenant that a caller names, if they may; their own where they name none. */
export function namedTenant(principal: Principal, named: string | undefined): string | undefined {
  const own = tenantOf(principal);
  if (own !== undefined && named !== undefined && named !== own) {
    throw new AndonError("PP-403-SCOPE", { given: named });
  }
  return own ?? named;
}

export function decisionOf(call: { principal: Principal }, reason: string | undefined): Decision {
  const tenant = tenantOf(call.principal);
  return {
    actor: call.principal.actor,
    ...(reason === undefined ? {} : { reason }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}
