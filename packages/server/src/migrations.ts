import type { MigrationSet } from "@andon/engine";
import { ENGINE_MIGRATIONS } from "@andon/store";
import type { Settings } from "./config/settings.ts";

/** The host's own tables, beside the engine's and those of the apps. */
export const SERVER_MIGRATIONS: MigrationSet = {
  name: "server",
  folder: new URL("../migrations/", import.meta.url),
};

/** Every set that a start of these settings applies, in this order. */
export function migrationsOf({ apps }: Pick<Settings, "apps">): MigrationSet[] {
  const ofApps = apps.flatMap(({ name, migrations }) =>
    migrations ? [{ name: `app:${name}`, folder: migrations }] : [],
  );
  return [ENGINE_MIGRATIONS, SERVER_MIGRATIONS, ...ofApps];
}
