import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { createJiti } from "jiti";
import { CONFIG_VARIABLE } from "./environment.ts";
import { SettingsError } from "./problems.ts";
import { readSettings } from "./read-settings.ts";
import type { Settings } from "./settings.ts";

const NAMES = ["andon.config.ts", "andon.config.js", "andon.config.mjs", "andon.config.json"];

/** The settings of a process: `ANDON_CONFIG`, else the file of the working directory, and the environment over it. */
export async function loadSettings(
  env: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
): Promise<Settings> {
  const path = configPath(env, folder);
  const file = path === undefined ? undefined : { name: basename(path), value: await load(path) };
  return readSettings({ file, env });
}

function configPath(env: NodeJS.ProcessEnv, folder: string): string | undefined {
  const given = env[CONFIG_VARIABLE]?.trim();
  if (given) {
    const path = resolve(folder, given);
    if (!existsSync(path)) refuse("environment", CONFIG_VARIABLE, `there is no file ${path}`);
    return path;
  }
  const found = NAMES.map((name) => resolve(folder, name)).filter((path) => existsSync(path));
  if (found.length > 1) {
    const names = found.map((path) => basename(path)).join(", ");
    refuse(folder, "", `holds ${names}: keep one of them, or name one in ${CONFIG_VARIABLE}`);
  }
  return found[0];
}

async function load(path: string): Promise<unknown> {
  const name = basename(path);
  try {
    if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"));
    const exported = await importTypeScript(path);
    return typeof exported === "function" ? await exported() : exported;
  } catch (cause) {
    return refuse(name, "", `could not be read: ${firstLine(cause)}`);
  }
}

/** Node 20 knows no types, so that jiti takes them away; what the file imports is transformed only if it is TypeScript. */
async function importTypeScript(path: string): Promise<unknown> {
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false, interopDefault: true });
  return jiti.import(path, { default: true });
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n")[0] ?? text;
}

function refuse(where: string, key: string, text: string): never {
  throw new SettingsError([{ where, key, text }]);
}
