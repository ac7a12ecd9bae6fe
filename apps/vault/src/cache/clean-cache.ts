import type { Listed } from "@andon/storage";
import type { Pace } from "../pace.ts";
import type { VaultParts } from "../parts.ts";
import { inList } from "../sql-lists.ts";
import { dayFolder, fileOfKey } from "./cache-key.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** An upload belongs to the day it began on; one that takes longer than this is found by nobody. */
const DAYS_BACK = 7;
/** Bytes become a file within seconds of being whole; unfinished ones change as long as somebody sends. */
const LONGEST_UNCLAIMED = HOUR;
const LONGEST_UNFINISHED = DAY;
const AT_ONCE = 128;

/** Removes bytes that no file has come to belong to: of uploads whose process died before their commit. */
export async function cleanCache(parts: VaultParts, pace: Pace): Promise<void> {
  const { cache, andon } = parts;
  const now = andon.store.clock.now();
  let keys: string[] = [];
  const removeUnclaimed = async () => {
    for (const key of await unclaimed(parts, keys)) await cache.remove(key);
    keys = [];
  };
  for (let daysAgo = 0; daysAgo <= DAYS_BACK; daysAgo++) {
    for await (const entry of cache.list(dayFolder(now - daysAgo * DAY), { recursive: true })) {
      pace();
      if (isLeftUnfinished(entry, now)) await cache.remove(entry.path);
      if (entry.kind === "file" && now - entry.modifiedAt > LONGEST_UNCLAIMED) keys.push(entry.path);
      if (keys.length === AT_ONCE) await removeUnclaimed();
    }
  }
  await removeUnclaimed();
}

function isLeftUnfinished({ kind, modifiedAt }: Listed, now: number): boolean {
  return kind === "own" && now - modifiedAt > LONGEST_UNFINISHED;
}

async function unclaimed({ andon }: VaultParts, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { list, params } = inList(keys.map(fileOfKey), 0);
  const claimed = await andon.store.query<{ path: string }>(
    `select path from file_storage_objects where file_id in (${list}) and storage_type = 'CACHE'`,
    params,
  );
  const known = new Set(claimed.map(({ path }) => path));
  return keys.filter((key) => !known.has(key));
}
