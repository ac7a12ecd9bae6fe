/** The permissions of a key for channels, bulk jobs and what they wrote. */
export const BROADCAST_PERMISSIONS = ["bulk.read", "bulk.operate", "notifications.read"] as const;
