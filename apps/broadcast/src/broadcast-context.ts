import type { AppSite } from "@andon/app";
import type { Principal } from "@andon/contract";
import type { AbortFlags } from "./abort/abort-flags.ts";
import type { BroadcastSettings } from "./contract/settings.ts";

export const BULK_QUEUE = "broadcast";
export const PUSH_QUEUE = "broadcast-push";

/** What the modules of this app share. */
export interface BroadcastContext extends AppSite {
  readonly settings: BroadcastSettings;
  readonly flags: AbortFlags;
}

/** The rows that a caller may see; null: those of every tenant or organisation. */
export interface Scope {
  readonly tenantId: string | null;
  readonly organizationId: string | null;
}

export function scopeOf({ principal }: { principal: Principal }): Scope {
  const { tenantId, organizationId } = principal;
  return { tenantId: tenantId ?? (organizationId === null ? null : "default"), organizationId };
}

/** The owner of what a caller creates. */
export function ownerOf(call: { principal: Principal }): { tenantId: string; organizationId: string | null } {
  const { tenantId, organizationId } = scopeOf(call);
  return { tenantId: tenantId ?? "default", organizationId };
}
