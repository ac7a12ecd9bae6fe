import type { Scope } from "@andon/contract";

/** Whether something lies within a scope; an empty scope contains everything. */
export function isInScope(thing: Scope, { tenant, organization }: Scope): boolean {
  const isOfTenant = (tenant ?? null) === null || thing.tenant === tenant;
  return isOfTenant && ((organization ?? null) === null || thing.organization === organization);
}

/** Whether a scope narrows anything. */
export function isNarrow({ tenant, organization }: Scope): boolean {
  return (tenant ?? null) !== null || (organization ?? null) !== null;
}
