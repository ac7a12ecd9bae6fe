/** What a key may be allowed to do with files and folders. */
export const VAULT_PERMISSIONS = ["files.read", "files.write"] as const;
