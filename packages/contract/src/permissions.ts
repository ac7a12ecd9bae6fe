/** The permissions of the core's routes. Apps add their own; `admin` includes all of them. */
export const CORE_PERMISSIONS = ["queue.read", "queue.operate", "admin"] as const;

/** What a key may be allowed to do, `<noun>.<verb>`: one of the core's, or of an app's. */
export type Permission = string;

/** Who calls: what they may do, and which tenant and organisation they are limited to. Null: no limit. */
export interface Principal {
  /** As the audit log names it: `admin`, `key:<name>` or `user:<subject>`, followed by the name that a person gave, if any. */
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
