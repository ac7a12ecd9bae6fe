import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { VERSION } from "../version.ts";

/** The folders beside this package's own: in a clone of the repository the packages, else whatever else is installed. */
const BESIDE = new URL("../../../", import.meta.url);

/** What a project depends on, by the folder that each package has in the repository. */
const PACKAGES = { cli: "@andon/cli", server: "@andon/server", andon: "andon" } as const;
type Folder = keyof typeof PACKAGES;

/** How npm gets our packages: from the folders of a clone, whose versions need not be published, else by version. */
export async function ownPackages(): Promise<Record<Folder, string>> {
  const folders = Object.keys(PACKAGES) as Folder[];
  const isClone = (await Promise.all(folders.map(isThere))).every(Boolean);
  return Object.fromEntries(
    folders.map((folder) => [folder, isClone ? fileDependency(folder) : `^${VERSION}`]),
  ) as Record<Folder, string>;
}

/** An installed `andon` lies one folder higher, so that what npm has installed is never taken for a clone. */
async function isThere(folder: Folder): Promise<boolean> {
  const manifest = await readFile(new URL(`${folder}/package.json`, BESIDE), "utf8").catch(() => "{}");
  return (JSON.parse(manifest) as { name?: string }).name === PACKAGES[folder];
}

function fileDependency(folder: Folder): string {
  return `file:${fileURLToPath(new URL(folder, BESIDE)).replaceAll("\\", "/")}`;
}
