import type { Store } from "@andon/engine";
import {
  inspectStore as lookAtTables,
  openStore,
  readSnapshot,
  type StoreInspection,
  type StoreSnapshot,
} from "@andon/store";
import type { Settings } from "./config/settings.ts";
import { migrationsOf } from "./migrations.ts";

/** The store's clock, and the versions of its tables compared with those of a start with these settings. Changes nothing. */
export function inspectStore(settings: Pick<Settings, "store" | "apps">): Promise<StoreInspection> {
  return lookAtTables(settings.store, migrationsOf(settings));
}

/** Reads the store of a site, whether the site runs or not. Changes nothing. */
export function readSiteSnapshot<T>(
  { store }: Pick<Settings, "store">,
  read: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  return readSnapshot(store, read);
}

/** Works on the store of a site without starting it. It migrates the tables first, as a start does. */
export async function withStore<T>(
  settings: Pick<Settings, "store" | "apps">,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(settings.store);
  try {
    await store.migrate(migrationsOf(settings));
    return await work(store);
  } finally {
    await store.close();
  }
}
