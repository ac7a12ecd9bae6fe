/** The permissions of a key for tasks. */
export const STUDIO_PERMISSIONS = ["tasks.read", "tasks.write"] as const;
