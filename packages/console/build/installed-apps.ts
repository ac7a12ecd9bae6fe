import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const require = createRequire(import.meta.url);
const NAME = "virtual:installed-apps";
const MADE = `\0${NAME}`;

/** An installed app with rooms. */
export interface BuiltApp {
  /** The name of its package. */
  readonly name: string;
  /** The folder of its contract's sources. */
  readonly contract: string | undefined;
  /** The folder of its rooms' sources. */
  readonly rooms: string;
}

/** The sources that the packages of these apps add to the console. A package without `./console` adds nothing. */
export function appsToBuild(packages: readonly string[]): readonly BuiltApp[] {
  return packages.flatMap((name) => {
    const home = homeOf(name);
    const { exports: doors = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
      exports?: Record<string, { source?: string; default?: string } | undefined>;
    };
    const folderOf = (door: string) => {
      const file = doors[door]?.source ?? doors[door]?.default;
      return file === undefined ? undefined : dirname(join(home, file));
    };
    const rooms = folderOf("./console");
    return rooms === undefined ? [] : [{ name, rooms, contract: folderOf("./contract") }];
  });
}

/** The folder of a package. Its manifest is not exported, so this searches the folders in which Node resolves packages. */
function homeOf(name: string): string {
  const home = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name)).find(existsSync);
  if (home === undefined) throw new Error(`the app ${name} is not installed`);
  return realpathSync(home);
}

/**
 * Provides the list of apps to the console, and the folders of their rooms to the style sheet, so that it includes classes
 * that only an app uses.
 */
export function installedApps(apps: readonly BuiltApp[]): Plugin {
  return {
    name: "installed-apps",
    enforce: "pre",
    resolveId: (id) => (id === NAME ? MADE : undefined),
    load(id) {
      if (id !== MADE) return undefined;
      const imports = apps.map(({ name }, index) => `import app${index} from "${name}/console";`);
      return [...imports, `export default [${apps.map((_, index) => `app${index}`).join(", ")}];`].join("\n");
    },
    transform(code, id) {
      if (!id.endsWith("/src/style.css")) return undefined;
      return [code, ...apps.map(({ rooms }) => `@source "${rooms}";`)].join("\n");
    },
  };
}
