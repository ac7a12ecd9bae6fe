import { DEFAULT_TENANT } from "@andon/engine";

/** Paths on the NAS, relative to its root, without a leading slash. */

const TENANTS = ".tenants";
const TRASH = ".trash";

/** Every tenant other than `default` has a folder of its own. */
function rootOf(tenantId: string): string[] {
  return tenantId === DEFAULT_TENANT ? [] : [TENANTS, tenantId];
}

/** The tenant of a path on the NAS. */
export function tenantOfPath(path: string): string {
  const [first, tenantId] = path.split("/");
  return first === TENANTS && tenantId ? tenantId : DEFAULT_TENANT;
}

/** The path on the NAS for a path as people see it (`/project/docs/a.pdf`). */
export function nasPath(tenantId: string, path: string): string {
  return [...rootOf(tenantId), ...path.split("/").filter((name) => name !== "")].join("/");
}

export function trashPath(tenantId: string, itemId: string, fileName?: string): string {
  return [...rootOf(tenantId), TRASH, itemId, ...(fileName === undefined ? [] : [fileName])].join("/");
}
