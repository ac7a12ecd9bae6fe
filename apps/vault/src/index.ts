export { type CacheLook, lookAtPlaces, type NasLook } from "./nas/look-at-places.ts";
export { initNas } from "./nas/nas-identity.ts";
export { type VaultOptions, vaultApp } from "./vault.ts";
