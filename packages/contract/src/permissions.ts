/** What a key may be allowed to do. `admin` holds all of them. */
export const PERMISSIONS = [
  "queue.read",
  "queue.operate",
  "files.read",
  "files.write",
  "tasks.read",
  "tasks.write",
  "bulk.read",
  "bulk.operate",
  "notifications.read",
  "pipeline.read",
  "pipeline.cancel",
  "pipeline.retry",
  "pipeline.ingest",
  "pipeline.schedule",
  "dlq.read",
  "dlq.operate",
  "admin",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Who calls: what they may do, and whose things they see. Null scopes see everybody's. */
export interface Principal {
  /** Stands in the audit log: `admin`, `key:<name>` or `user:<subject>`. */
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
