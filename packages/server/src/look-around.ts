import { glanceAtStore, lookAtStore as look, openStore, type StoreLook } from "@andon/store";
import { lookAtPlaces as lookAt, initNas as mark } from "@andon/vault";
import type { Settings } from "./config/settings.ts";
import { migrationsOf } from "./migrations.ts";

/** What can be seen of a site from outside, with its settings alone, whether it runs or not. Nothing is changed by it. */

/** The store's clock, and how far its tables are against what a start with these settings would bring. */
export function lookAtStore(settings: Pick<Settings, "store" | "apps">): Promise<StoreLook> {
  return look(settings.store, migrationsOf(settings));
}

/** The cache and the NAS, and whether the store remembers this NAS. */
export function lookAtPlaces({ store, cache, nas }: Pick<Settings, "store" | "cache" | "nas">) {
  return glanceAtStore(store, async (glance) => {
    const hasVault = await glance.hasTable("vault_nas");
    return lookAt({ cache, nas }, hasVault ? glance : undefined);
  });
}

/** Makes this NAS the one that the site knows, on a person's word. The tables are brought up to date first, as by a start. */
export async function initNas(settings: Settings, actor: string): Promise<void> {
  const store = await openStore(settings.store);
  try {
    await store.migrate(migrationsOf(settings));
    await mark(store, settings.nas, actor);
  } finally {
    await store.close();
  }
}
