import { glanceAtStore, lookAtStore as lookAtTables, type StoreLook } from "@andon/store";
import { lookAtPlaces as lookAtStorages } from "@andon/vault";
import type { Settings } from "./config/settings.ts";
import { migrationsOf } from "./migrations.ts";

/** What can be seen of a site from outside, with its settings alone, whether it runs or not. Nothing is changed by it. */

/** The store's clock, and how far its tables are against what a start with these settings would bring. */
export function lookAtStore(settings: Pick<Settings, "store" | "apps">): Promise<StoreLook> {
  return lookAtTables(settings.store, migrationsOf(settings));
}

/** The cache and the NAS, and whether the store remembers this NAS. */
export function lookAtPlaces({ store, cache, nas }: Pick<Settings, "store" | "cache" | "nas">) {
  return glanceAtStore(store, async (glance) => {
    const hasVault = await glance.hasTable("vault_nas");
    return lookAtStorages({ cache, nas }, hasVault ? glance : undefined);
  });
}
