import type { Check } from "./doctor/check.ts";
import type { Localized } from "./i18n/localized.ts";
import type { CommandSpec } from "./terminal/command.ts";

/** What an app adds to the command `andon`. */
export interface CliApp {
  /** The app's name on the server. */
  readonly name: string;
  readonly commands: readonly CommandSpec[];
  /** A description of each group of its commands; the group is the first word of `addresses list`. */
  readonly groups?: Readonly<Record<string, Localized>>;
  /** What to do after one of its errors, by code. */
  readonly hints?: Readonly<Record<string, Localized>>;
  /** The queue that commands use when the operator names none. */
  readonly defaultQueue?: string;
  /** The app's checks in `andon doctor`, run after the checks of the core. */
  readonly doctor?: readonly Check[];
}

/** The default export of an app's `./cli`. */
export function defineCliApp(app: CliApp): CliApp {
  return { ...app, commands: app.commands.map((spec) => ({ ...spec, app: app.name })) };
}

export function defaultQueueOf(apps: readonly CliApp[]): string | undefined {
  return apps.find(({ defaultQueue }) => defaultQueue !== undefined)?.defaultQueue;
}

/** Loads what the packages of installed apps add to the command. A package without `./cli` adds nothing. */
export async function loadCliApps(packages: readonly string[]): Promise<CliApp[]> {
  const loaded = await Promise.all(packages.map(cliAppOf));
  return loaded.filter((app) => app !== undefined);
}

async function cliAppOf(name: string): Promise<CliApp | undefined> {
  try {
    return ((await import(`${name}/cli`)) as { default: CliApp }).default;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return undefined;
    throw error;
  }
}
