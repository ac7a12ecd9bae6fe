/** What a key may be allowed to do with tasks. */
export const STUDIO_PERMISSIONS = ["tasks.read", "tasks.write"] as const;
