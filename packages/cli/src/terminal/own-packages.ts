import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { VERSION } from "../version.ts";

/** The folder that contains this package: `packages` in a clone of the repository, else the folder of installed packages. */
const BESIDE = new URL("../../../", import.meta.url);

/** The packages that a project depends on, by their folder in the repository. */
const PACKAGES = { cli: "@andon/cli", server: "@andon/server", andon: "andon" } as const;
type Folder = keyof typeof PACKAGES;

/** The npm dependencies on our packages: the folders of a clone, whose version may not be published, else the version. */
export async function ownPackages(): Promise<Record<Folder, string>> {
  const folders = Object.keys(PACKAGES) as Folder[];
  const isClone = (await Promise.all(folders.map(isThere))).every(Boolean);
  return Object.fromEntries(
    folders.map((folder) => [folder, isClone ? fileDependency(folder) : `^${VERSION}`]),
  ) as Record<Folder, string>;
}

/** npm installs `andon` one folder higher, outside `@andon`, so an installation is never mistaken for a clone. */
async function isThere(folder: Folder): Promise<boolean> {
  const manifest = await readFile(new URL(`${folder}/package.json`, BESIDE), "utf8").catch(() => "{}");
  return (JSON.parse(manifest) as { name?: string }).name === PACKAGES[folder];
}

function fileDependency(folder: Folder): string {
  return `file:${fileURLToPath(new URL(folder, BESIDE)).replaceAll("\\", "/")}`;
}
