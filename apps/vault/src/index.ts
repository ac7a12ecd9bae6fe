import { vaultApp } from "./app.ts";

export { type VaultOptions, vaultApp } from "./app.ts";
export { type CacheInspection, inspectPlaces, type NasInspection } from "./nas/inspect-places.ts";
export { initNas } from "./nas/nas-identity.ts";
export { placesOf } from "./places.ts";

/** Makes the vault as the settings of its host describe it. */
export default () => vaultApp();
