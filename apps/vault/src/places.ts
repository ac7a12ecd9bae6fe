import { join } from "node:path";
import type { GivenSettings } from "./contract/settings.ts";

/** The addresses of the cache and the NAS: as set, else folders in the data folder. */
export function placesOf({ cache, nas }: Pick<GivenSettings, "cache" | "nas">, data: string) {
  return {
    cache: cache ?? `file:${join(data, "cache")}`,
    nas: nas ?? `file:${join(data, "nas")}`,
  };
}
