import type { CheckInput } from "@andon/cli/app";
import type { GivenSettings } from "../contract/settings.ts";
import { type CacheInspection, inspectPlaces, type NasInspection } from "../nas/inspect-places.ts";
import { placesOf } from "../places.ts";

type Settings = NonNullable<CheckInput["settings"]>;

/** The addresses of the two places that these settings name; undefined if the vault is switched off. */
export function placesIn({ apps, ofApps, data }: Settings): ReturnType<typeof placesOf> | undefined {
  if (!apps.some(({ name }) => name === "vault")) return undefined;
  return placesOf(ofApps as GivenSettings, data);
}

/** The cache and the NAS as this machine sees them, and whether the store remembers this NAS. Changes nothing. */
export function inspectSite(
  settings: Settings,
  readSiteSnapshot: CheckInput["readSiteSnapshot"],
): Promise<{ cache: CacheInspection; nas: NasInspection } | undefined> {
  const places = placesIn(settings);
  if (!places) return Promise.resolve(undefined);
  return readSiteSnapshot(settings, async (snapshot) => {
    const hasTables = await snapshot.hasTable("vault_nas");
    return inspectPlaces(places, hasTables ? snapshot : undefined);
  });
}
