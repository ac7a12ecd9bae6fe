import type { App } from "@andon/app";
import { isApp } from "./settings.ts";

/** What a composition root brings into every process, beside the configuration. */
export interface Installed {
  readonly apps: readonly App[];
}

export const NOTHING_INSTALLED: Installed = { apps: [] };

/** Installed apps, then those of the configuration. One of the configuration replaces an installed app of its name. */
export function appsToRun(installed: Installed, configuration: unknown): readonly App[] {
  const { apps: given } = (configuration ?? {}) as { apps?: unknown };
  const brought = Array.isArray(given) ? given.filter(isApp) : [];
  const isBrought = ({ name }: App) => brought.some((app) => app.name === name);
  return [...installed.apps.filter((app) => !isBrought(app)), ...brought];
}
