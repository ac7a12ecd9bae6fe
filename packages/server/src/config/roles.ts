/** What a process of a site may do. One process does all of it unless told otherwise. */
export const ROLES = ["api", "work", "deliver", "watch"] as const;
export type Role = (typeof ROLES)[number];
