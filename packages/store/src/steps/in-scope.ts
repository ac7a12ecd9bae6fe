import type { Scope } from "@andon/contract";

/**
 * Restricts rows to a scope, so that a reader within it cannot learn that rows outside exist. `of` is the alias of the
 * table, with its dot.
 */
export const inScope = (of = "") =>
  `(cast(@tenant as text) is null or ${of}tenant = @tenant)
  and (cast(@organization as text) is null or ${of}organization = @organization)`;

export function scopeValues({ tenant, organization }: Scope = {}) {
  return { tenant: tenant ?? null, organization: organization ?? null };
}
