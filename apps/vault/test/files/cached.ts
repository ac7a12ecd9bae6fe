import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Files in the folder of a cache, unfinished ones too. */
export function cachedFiles(cacheFolder: string): string[] {
  if (!existsSync(cacheFolder)) return [];
  const entries = readdirSync(cacheFolder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
