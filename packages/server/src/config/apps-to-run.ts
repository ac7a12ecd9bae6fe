import type { App } from "@andon/app";
import { isApp } from "./settings.ts";

/** What a composition root adds to every process, in addition to the configuration. */
export interface Installed {
  readonly apps: readonly App[];
}

export const NOTHING_INSTALLED: Installed = { apps: [] };

/** Installed apps, then apps of the configuration. An app of the configuration replaces an installed app of the same name. */
export function appsToRun(installed: Installed, configuration: unknown): readonly App[] {
  const { apps: given } = (configuration ?? {}) as { apps?: unknown };
  const brought = Array.isArray(given) ? given.filter(isApp) : [];
  const isBrought = ({ name }: App) => brought.some((app) => app.name === name);
  return [...installed.apps.filter((app) => !isBrought(app)), ...brought];
}
