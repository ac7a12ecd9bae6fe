/** What the core's routes ask for. Apps bring permissions of their own; `admin` holds all of them. */
export const CORE_PERMISSIONS = ["queue.read", "queue.operate", "admin"] as const;

/** What a key may be allowed to do, `<noun>.<verb>`: one of the core's, or of an app's. */
export type Permission = string;

/** Who calls: what they may do, and whose things they see. Null scopes see everybody's. */
export interface Principal {
  /** Stands in the audit log: `admin`, `key:<name>` or `user:<subject>`, with what a person calls themselves behind it. */
  actor: string;
  /** The API key behind it, where there is one: two keys may have one name. */
  keyId?: string;
  permissions: readonly Permission[];
  tenantId: string | null;
  organizationId: string | null;
}

export function mayDo(principal: Pick<Principal, "permissions">, permission: Permission): boolean {
  return principal.permissions.includes(permission) || principal.permissions.includes("admin");
}
