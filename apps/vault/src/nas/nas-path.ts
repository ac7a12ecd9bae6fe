/** Where things lie on the NAS, relative to its root, without a leading slash. */

const TENANTS = ".tenants";
const TRASH = ".trash";

/** Everything of a tenant other than `default` lies below a folder of its own. */
function rootOf(tenantId: string): string[] {
  return tenantId === "default" ? [] : [TENANTS, tenantId];
}

/** A file or folder by its path as people see it (`/project/docs/a.pdf`). */
export function nasPath(tenantId: string, path: string): string {
  return [...rootOf(tenantId), ...path.split("/").filter((name) => name !== "")].join("/");
}

export function trashPath(tenantId: string, itemId: string, fileName?: string): string {
  return [...rootOf(tenantId), TRASH, itemId, ...(fileName === undefined ? [] : [fileName])].join("/");
}
