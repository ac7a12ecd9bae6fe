import type { Principal } from "@andon/contract";

const DEFAULT_TENANT = "default";

/** An organisation lies in a tenant: without one it is the tenant that everything belongs to by default. */
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
