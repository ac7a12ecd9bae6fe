import { vaultApp } from "./app.ts";

export { type VaultOptions, vaultApp } from "./app.ts";
export { type CacheInspection, inspectPlaces, type NasInspection } from "./nas/inspect-places.ts";
export { initNas } from "./nas/nas-identity.ts";
export { placesOf } from "./places.ts";

/** Creates the vault from the settings of its host. */
export default () => vaultApp();
