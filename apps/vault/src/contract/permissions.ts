/** The permissions that a key can have for files and folders. */
export const VAULT_PERMISSIONS = ["files.read", "files.write"] as const;
