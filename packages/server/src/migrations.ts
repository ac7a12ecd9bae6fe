import type { MigrationSet } from "@andon/engine";
import { ENGINE_MIGRATIONS } from "@andon/store";
import type { Settings } from "./config/settings.ts";

/** The host's own tables, in addition to those of the engine and the apps. */
export const SERVER_MIGRATIONS: MigrationSet = {
  name: "server",
  folder: new URL("../migrations/", import.meta.url),
};

/** Every migration set that a start with these settings applies, in this order. */
export function migrationsOf({ apps }: Pick<Settings, "apps">): MigrationSet[] {
  const ofApps = apps.flatMap(({ name, migrations }) =>
    migrations ? [{ name: `app:${name}`, folder: migrations }] : [],
  );
  return [ENGINE_MIGRATIONS, SERVER_MIGRATIONS, ...ofApps];
}
