import { join } from "node:path";
import type { GivenSettings } from "./contract/settings.ts";

/** Where the cache and the NAS are: as set, else folders of the data folder. */
export function placesOf({ cache, nas }: Pick<GivenSettings, "cache" | "nas">, data: string) {
  return {
    cache: cache ?? `file:${join(data, "cache")}`,
    nas: nas ?? `file:${join(data, "nas")}`,
  };
}
