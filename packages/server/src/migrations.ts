import type { MigrationSet } from "@andon/engine";

/** The host's own tables, beside the engine's and those of the apps. */
export const SERVER_MIGRATIONS: MigrationSet = {
  name: "server",
  folder: new URL("../migrations/", import.meta.url),
};
