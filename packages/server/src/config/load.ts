import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type Localized, withParticle } from "@andon/contract";
import { createJiti } from "jiti";
import type { Installed } from "./apps-to-run.ts";
import { CONFIG_VARIABLE } from "./environment.ts";
import { SettingsError } from "./problems.ts";
import { readSettings } from "./read-settings.ts";
import type { Settings } from "./settings.ts";

const NAMES = ["andon.config.ts", "andon.config.js", "andon.config.mjs", "andon.config.json"];

/** The settings of a process: the file of `ANDON_CONFIG`, else the file in the working directory, overridden by the environment. */
export async function loadSettings(
  env: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
  installed?: Installed,
): Promise<Settings> {
  const path = configPath(env, folder);
  const file = path === undefined ? undefined : { name: basename(path), value: await load(path) };
  return readSettings({ file, env, installed });
}

function configPath(env: NodeJS.ProcessEnv, folder: string): string | undefined {
  const given = env[CONFIG_VARIABLE]?.trim();
  if (given) {
    const path = resolve(folder, given);
    if (!existsSync(path))
      refuse("environment", CONFIG_VARIABLE, {
        en: `names ${path}, which does not exist`,
        ko: `파일이 없습니다: ${path}`,
      });
    return path;
  }
  const found = NAMES.map((name) => resolve(folder, name)).filter((path) => existsSync(path));
  if (found.length > 1) {
    const names = found.map((path) => basename(path)).join(", ");
    refuse(folder, "", {
      en: `holds ${names}: keep one of them, or name one in ${CONFIG_VARIABLE}`,
      ko: `${withParticle(names, "이(가)")} 함께 있습니다. 하나만 남기거나 ${CONFIG_VARIABLE}로 지정하세요`,
    });
  }
  return found[0];
}

async function load(path: string): Promise<unknown> {
  const name = basename(path);
  try {
    if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"));
    const exported = await exportOf(path);
    return typeof exported === "function" ? await exported() : exported;
  } catch (cause) {
    const problem = firstLine(cause);
    return refuse(name, "", { en: `could not be read: ${problem}`, ko: `읽을 수 없습니다: ${problem}` });
  }
}

/** The value of a module: its default export, or all exports of a CommonJS module. Undefined if it exports nothing. */
async function exportOf(path: string): Promise<unknown> {
  // As CommonJS, an empty file would export an empty object.
  if ((await readFile(path, "utf8")).trim() === "") return undefined;
  const module = await importTypeScript(path);
  if (typeof module !== "object" && typeof module !== "function") return module;
  if (module === null || "default" in module) return module?.default;
  return Object.keys(module).length > 0 ? module : undefined;
}

type Module = { readonly default?: unknown } | null | undefined;

/** Node 20 cannot run TypeScript, so jiti removes the types. Imported files are transformed only if they are TypeScript. */
async function importTypeScript(path: string): Promise<Module> {
  const importBy = (interopDefault: boolean) =>
    createJiti(import.meta.url, { fsCache: false, moduleCache: false, interopDefault }).import<Module>(path);
  try {
    return await importBy(true);
  } catch (error) {
    // With `interopDefault`, jiti throws a TypeError for a default export that is null.
    const plain = error instanceof TypeError ? await importBy(false).catch(() => undefined) : undefined;
    if (plain?.default === null) return plain;
    throw error;
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n")[0] ?? text;
}

function refuse(where: string, key: string, text: Localized): never {
  throw new SettingsError([{ where, key, text }]);
}
