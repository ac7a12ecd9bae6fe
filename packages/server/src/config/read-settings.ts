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
  /** What the configuration file gave, and its name. */
  readonly file?: { readonly name: string; readonly value: unknown } | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** What the composition root brings. Default: nothing. */
  readonly installed?: Installed | undefined;
}

const NO_OBJECT = {
  en: "does not give an object: export the settings as default, or a function that returns them",
  ko: "객체를 내보내지 않습니다. 설정 또는 설정을 반환하는 함수를 default로 내보내세요",
};

/** Checks what the file and the environment say. Throws a SettingsError that names everything that is wrong. */
export function readSettings({ file, env = {}, installed = NOTHING_INSTALLED }: SettingsSource): Settings {
  const apps = appsToRun(installed, file?.value);
  const schema = schemaWith(apps);
  const fromEnvironment = readEnvironment(env, apps);
  const name = file?.name ?? "settings";
  const given = file ? file.value : {};
  // A file that gives nothing has most likely lost what it was to give: a start without it would use another store.
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

/** What is wrong in the file where the environment says otherwise: it would come to light when the variable goes away. */
function coveredProblems(schema: z.ZodType, name: string, given: unknown, merged: unknown): SettingProblem[] {
  const isCovered = (path: readonly string[]) => {
    const value = valueAt(given, path);
    return value !== undefined && value !== valueAt(merged, path);
  };
  return problemsIn(schema, given, schema.safeParse(given))
    .filter(({ path }) => isCovered(path))
    .map(({ path, text }) => ({ where: name, key: path.join("."), text }));
}

/** Settings of a program that starts the server itself, and of tests: no file, no environment. */
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

/** The variable that set this key, or the list that this entry stands in. */
function variableOf(names: ReadonlyMap<string, string>, path: readonly string[]): string | undefined {
  for (let end = path.length; end > 0; end--) {
    const name = names.get(path.slice(0, end).join("."));
    if (name) return name;
  }
  return undefined;
}

/** The file's object with the values of dotted keys put over it; the file's own is not changed. */
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
