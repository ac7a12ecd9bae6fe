import type { App } from "@andon/engine";
import { vaultApp } from "@andon/vault";
import type { Settings } from "./config/settings.ts";

/** The settings of a process, with the apps that come with Andon before those of the configuration. */
export function withBuiltInApps(settings: Settings): Settings {
  const { apps } = settings;
  const isBrought = (name: string) => apps.some((app) => app.name === name);
  const builtIn = BUILT_IN.flatMap((build) => build(settings) ?? []).filter(({ name }) => !isBrought(name));
  return { ...settings, apps: [...builtIn, ...apps] };
}

const BUILT_IN: readonly ((settings: Settings) => App | undefined)[] = [
  ({ cache, nas, vault, alerts }) => {
    if (vault === false) return undefined;
    return vaultApp({
      cache,
      nas,
      language: alerts.language,
      trashKeep: vault.trashKeep,
      caseInsensitive: vault.caseInsensitive,
      windowsNames: vault.windowsNames,
      ...(vault.maxUploadSize === undefined ? {} : { maxUploadSize: vault.maxUploadSize }),
    }) as App;
  },
];
