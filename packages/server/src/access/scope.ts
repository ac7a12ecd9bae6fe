import type { Principal } from "@andon/contract";

const DEFAULT_TENANT = "default";

/** An organisation belongs to a tenant: if none is given, to the default tenant. */
export function scopeOf(
  tenantId: string | null | undefined,
  organizationId: string | null | undefined,
): Pick<Principal, "tenantId" | "organizationId"> {
  const organization = organizationId ?? null;
  return {
    tenantId: tenantId ?? (organization === null ? null : DEFAULT_TENANT),
    organizationId: organization,
  };
}
