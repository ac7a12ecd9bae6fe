import { openStore } from "@andon/store";
import { initNas as markNas } from "@andon/vault";
import type { Settings } from "./config/settings.ts";
import { migrationsOf } from "./migrations.ts";

/** Makes this NAS the one that the site knows, on a person's word. The tables are brought up to date first, as by a start. */
export async function initNas(settings: Settings, actor: string): Promise<void> {
  const store = await openStore(settings.store);
  try {
    await store.migrate(migrationsOf(settings));
    await markNas(store, settings.nas, actor);
  } finally {
    await store.close();
  }
}
