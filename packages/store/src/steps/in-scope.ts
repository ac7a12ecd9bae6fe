import type { Scope } from "@andon/contract";

/** Whoever asks within a scope is not told that something outside of it exists. `of` is the alias of the table, with its dot. */
export const inScope = (of = "") =>
  `(cast(@tenant as text) is null or ${of}tenant = @tenant)
  and (cast(@organization as text) is null or ${of}organization = @organization)`;

export function scopeValues({ tenant, organization }: Scope = {}) {
  return { tenant: tenant ?? null, organization: organization ?? null };
}
