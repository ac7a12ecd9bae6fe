import type { Principal } from "@andon/contract";

/** Files are of one tenant: the key's, or `default` where it has none. */
export function tenantOf({ principal }: { principal: Principal }): string {
  return principal.tenantId ?? "default";
}

/** Whose change it is, and the request it comes from. */
export interface Caller {
  readonly tenantId: string;
  readonly traceId?: string | undefined;
}

export function callerOf(call: { principal: Principal; traceId: string }): Caller {
  return { tenantId: tenantOf(call), traceId: call.traceId };
}
