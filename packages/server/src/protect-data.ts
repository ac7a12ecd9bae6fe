import { chmod, mkdir, open, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { isEmbedded } from "./config/addresses.ts";
import type { Settings } from "./config/settings.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const IN_MEMORY = "sqlite::memory:";
/** Files that SQLite creates beside its file, with the mode of that file. */
const BESIDE = ["-wal", "-shm", "-journal"];
/** A folder that contains one of these files is ours. */
const OWN_FILES = ["admin.key", "andon.db"];

/**
 * Denies other users of the machine access to the data folder and the SQLite file, which contain every payload and the admin
 * key. A folder that may contain other programs' files keeps its mode, and so does anything that belongs to another user.
 */
export async function protectData(
  { data, store }: Pick<Settings, "data" | "store">,
  log: Logger,
): Promise<void> {
  const made = await mkdir(data, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined || (await isOurs(data))) await tighten(data, FOLDER_MODE, log);
  if (!isEmbedded(store) || store === IN_MEMORY) return;
  const file = resolve(store.slice("sqlite:".length));
  await mkdir(resolve(file, ".."), { recursive: true, mode: FOLDER_MODE });
  // Created before SQLite creates it, so that other users can never read it.
  await (await open(file, "a", FILE_MODE)).close();
  for (const suffix of ["", ...BESIDE]) await tighten(`${file}${suffix}`, FILE_MODE, log);
}

async function isOurs(folder: string): Promise<boolean> {
  for (const name of OWN_FILES) if (await stat(join(folder, name)).catch(() => undefined)) return true;
  return false;
}

async function tighten(path: string, mode: number, log: Logger): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || (found.mode & 0o077) === 0) return;
  await chmod(path, mode).catch((error: unknown) =>
    log.warn(
      { err: error, path },
      "other users of this machine can read it, and its mode could not be changed",
    ),
  );
}
