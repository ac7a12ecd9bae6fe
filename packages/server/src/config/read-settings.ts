import { join } from "node:path";
import type { App } from "@andon/app";
import type * as z from "zod";
import { appsToRun, type Installed, NOTHING_INSTALLED } from "./apps-to-run.ts";
import { readEnvironment } from "./environment.ts";
import { missingRedis } from "./missing-redis.ts";
import { problemsOf, type SettingProblem, SettingsError, valueAt } from "./problems.ts";
import type { Settings, SettingsInput, settingsSchema } from "./settings.ts";
import { schemaWith, settingsOfApps } from "./settings-of-apps.ts";
import { unsafeSettings } from "./unsafe-settings.ts";

export interface SettingsSource {
  /** The value of the configuration file, and its name. */
  readonly file?: { readonly name: string; readonly value: unknown } | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** What the composition root adds. Default: nothing. */
  readonly installed?: Installed | undefined;
}

const NO_OBJECT = {
  en: "does not give an object: export the settings as default, or a function that returns them",
  ko: "객체를 내보내지 않습니다. 설정 또는 설정을 반환하는 함수를 default로 내보내세요",
};

/** Checks the values of the file and the environment. Throws a SettingsError with all problems. */
export function readSettings({ file, env = {}, installed = NOTHING_INSTALLED }: SettingsSource): Settings {
  const apps = appsToRun(installed, file?.value);
  const schema = schemaWith(apps);
  const fromEnvironment = readEnvironment(env, apps);
  const name = file?.name ?? "settings";
  const given = file ? file.value : {};
  // A file without a value has most likely lost its content; a start with defaults would use another store.
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new SettingsError([...fromEnvironment.problems, { where: name, key: "", text: NO_OBJECT }]);
  }
  const merged = withValues(given as Record<string, unknown>, fromEnvironment.values);
  const result = schema.safeParse(merged);
  const problems: SettingProblem[] = [
    ...fromEnvironment.problems,
    ...coveredProblems(schema, name, given, merged),
    ...[
      ...problemsIn(schema, merged, result),
      ...(result.success
        ? [...unsafeSettings(result.data as Parsed), ...missingRedis(result.data as Parsed)]
        : []),
    ].map(({ path, text }) => {
      const variable = variableOf(fromEnvironment.names, path);
      return variable
        ? { where: "environment", key: variable, text }
        : { where: name, key: path.join("."), text };
    }),
  ];
  if (problems.length > 0 || !result.data) throw new SettingsError(problems);
  return withDefaults(result.data as Parsed, merged as SettingsInput, apps);
}

type Parsed = (typeof settingsSchema)["_output"];

function problemsIn(schema: z.ZodType, given: unknown, { error }: z.ZodSafeParseResult<unknown>) {
  return (error?.issues ?? []).flatMap((issue) => problemsOf(issue, schema, given));
}

/** Problems in the file at keys that the environment overrides: they would appear when the variable is removed. */
function coveredProblems(schema: z.ZodType, name: string, given: unknown, merged: unknown): SettingProblem[] {
  const isCovered = (path: readonly string[]) => {
    const value = valueAt(given, path);
    return value !== undefined && value !== valueAt(merged, path);
  };
  return problemsIn(schema, given, schema.safeParse(given))
    .filter(({ path }) => isCovered(path))
    .map(({ path, text }) => ({ where: name, key: path.join("."), text }));
}

/** Settings without a file or environment, for programs that start the server themselves and for tests. */
export function settingsOf(given: SettingsInput, installed?: Installed): Settings {
  return readSettings({ file: { name: "settings", value: given }, installed });
}

function withDefaults(parsed: Parsed, given: SettingsInput, apps: readonly App[]): Settings {
  const { core, running, ofApps } = settingsOfApps(parsed, apps);
  return {
    ...core,
    apps: running,
    ofApps,
    queues: given.queues ?? {},
    store: core.store ?? `sqlite:${join(core.data, "andon.db")}`,
  };
}

/** The variable that set this key, or the list that contains this entry. */
function variableOf(names: ReadonlyMap<string, string>, path: readonly string[]): string | undefined {
  for (let end = path.length; end > 0; end--) {
    const name = names.get(path.slice(0, end).join("."));
    if (name) return name;
  }
  return undefined;
}

/** A copy of the file's object, overridden by the values of dotted keys. */
function withValues(
  given: Record<string, unknown>,
  values: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const merged = { ...given };
  for (const [key, value] of values) {
    const [first = "", second] = key.split(".");
    if (second === undefined) merged[first] = value;
    else {
      const inner = merged[first];
      merged[first] = { ...(typeof inner === "object" && inner !== null ? inner : {}), [second]: value };
    }
  }
  return merged;
}
