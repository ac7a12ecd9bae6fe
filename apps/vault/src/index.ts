export { initNas } from "./nas/nas-identity.ts";
export { type VaultOptions, vaultApp } from "./vault.ts";
