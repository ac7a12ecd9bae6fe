import type { App, SettingVariable } from "@andon/app";
import { guessFor } from "@andon/contract";
import type { SettingProblem } from "./problems.ts";

/** The key of the core that each variable sets. A variable overrides the file; an empty variable counts as not set. */
export const ENVIRONMENT: Readonly<Record<string, SettingVariable>> = {
  ANDON_HOST: { key: "host", as: "text" },
  ANDON_PORT: { key: "port", as: "number" },
  ANDON_DATA: { key: "data", as: "text" },
  ANDON_STORE: { key: "store", as: "text" },
  ANDON_REDIS_URL: { key: "redisUrl", as: "text" },
  ANDON_ADMIN_TOKEN: { key: "adminToken", as: "text" },
  ANDON_ROLES: { key: "roles", as: "list" },
  ANDON_LOG_LEVEL: { key: "log.level", as: "text" },
  ANDON_LOG_FORMAT: { key: "log.format", as: "text" },
  ANDON_PUBLIC_URL: { key: "publicUrl", as: "text" },
  OTEL_EXPORTER_OTLP_ENDPOINT: { key: "telemetry.endpoint", as: "text" },
};

/** The variable with the path of the configuration file. */
export const CONFIG_VARIABLE = "ANDON_CONFIG";

/** Variables of tests, proofs and renderers. A server that they start inherits them. */
const OTHERS = [
  "ANDON_FAIL_AFTER",
  "ANDON_FAIL_WHEN",
  "ANDON_FAIL_POINT",
  "ANDON_LONG",
  "ANDON_PATH",
  "ANDON_RENDER",
  "ANDON_SEED",
  "ANDON_SEQUENCES",
  "ANDON_TEST_LOG",
  "ANDON_TEST_PG",
  "ANDON_TOKEN",
  "ANDON_URL",
];

export interface FromEnvironment {
  /** The given values, by dotted key. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The variable of each value, by dotted key. */
  readonly names: ReadonlyMap<string, string>;
  readonly problems: readonly SettingProblem[];
}

export function readEnvironment(env: NodeJS.ProcessEnv, apps: readonly App[]): FromEnvironment {
  const variables = environmentWith(apps);
  const values = new Map<string, unknown>();
  const names = new Map<string, string>();
  for (const [name, { key, as }] of Object.entries(variables)) {
    const text = env[name];
    if (text === undefined || text.trim() === "") continue;
    values.set(key, VALUE[as](text));
    names.set(key, name);
  }
  return { values, names, problems: unknownVariables(env, Object.keys(variables)) };
}

/** Every variable that sets something when these apps run. */
export function environmentWith(apps: readonly App[]): Readonly<Record<string, SettingVariable>> {
  return Object.assign({}, ENVIRONMENT, ...apps.map(({ settings }) => settings?.environment));
}

const VALUE: Record<SettingVariable["as"], (text: string) => unknown> = {
  text: (text) => text,
  // Anything but digits stays text, so that the schema refuses it and names the key: "80a", "8e3" and "0x50" are mistakes.
  number: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  list: (text) => text.split(",").map((part) => part.trim()),
};

/** Reports mistyped variables, which would otherwise be ignored silently. The value may be a secret, so it is not shown. */
function unknownVariables(env: NodeJS.ProcessEnv, variables: readonly string[]): SettingProblem[] {
  const known = [...variables, CONFIG_VARIABLE];
  return Object.keys(env)
    .filter((name) => name.startsWith("ANDON_") && !known.includes(name) && !OTHERS.includes(name))
    .sort()
    .map((name) => {
      const { en, ko } = guessFor(name, known);
      const text = { en: `is not a known variable. ${en}`, ko: `알 수 없는 변수입니다. ${ko}` };
      return { where: "environment", key: name, text };
    });
}
