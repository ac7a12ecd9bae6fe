/** The roles of a process of a site. By default one process has all roles. */
export const ROLES = ["api", "work", "deliver", "watch"] as const;
export type Role = (typeof ROLES)[number];
