import type { Listed } from "@andon/storage";
import { inList } from "../sql-lists.ts";
import type { StepGuard } from "../step-guard.ts";
import type { VaultContext } from "../vault-context.ts";
import { dayFolder, fileOfKey, isDayFolder } from "./cache-key.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The folders of this many days are checked every time. An upload belongs to the day on which it began. */
const DAYS_BACK = 7;
/**
 * The number of older folders that are checked each time: a cache with millions of files cannot be read completely
 * every hour.
 */
const OLDER_AT_ONCE = 8;
/** Complete bytes become a file within seconds; unfinished ones are modified while they are sent. */
const LONGEST_UNCLAIMED = HOUR;
const LONGEST_UNFINISHED = DAY;
const AT_ONCE = 128;

/** Removes bytes without a file: those of uploads whose process died before the commit. */
export async function cleanCache(vault: VaultContext, guard: StepGuard): Promise<void> {
  const { cache, andon } = vault;
  const now = andon.store.clock.now();
  let keys: string[] = [];
  const removeUnclaimed = async () => {
    for (const key of await unclaimed(vault, keys)) await cache.remove(key, guard.signal);
    keys = [];
  };
  for (const folder of await foldersInTurn(vault, now, guard)) {
    for await (const entry of cache.list(folder, { recursive: true })) {
      guard();
      if (isLeftUnfinished(entry, now)) await cache.remove(entry.path, guard.signal);
      if (entry.kind === "file" && now - entry.modifiedAt > LONGEST_UNCLAIMED) keys.push(entry.path);
      if (keys.length === AT_ONCE) await removeUnclaimed();
    }
  }
  await removeUnclaimed();
}

/**
 * The folders of the last days, and a share of the older ones, which may hold long uploads or leftovers of a time without
 * cleaning. The current hour selects the share, so no state is stored.
 */
async function foldersInTurn({ cache }: VaultContext, now: number, guard: StepGuard): Promise<string[]> {
  const recent = Array.from({ length: DAYS_BACK + 1 }, (_, daysAgo) => dayFolder(now - daysAgo * DAY));
  const older: string[] = [];
  for await (const { kind, path } of cache.list("")) {
    guard();
    if (kind === "folder" && isDayFolder(path) && !recent.includes(path)) older.push(path);
  }
  const turns = Math.ceil(older.length / OLDER_AT_ONCE);
  const turn = Math.floor(now / HOUR) % turns;
  return [...recent, ...older.sort().filter((_, index) => index % turns === turn)];
}

function isLeftUnfinished({ kind, modifiedAt }: Listed, now: number): boolean {
  return kind === "own" && now - modifiedAt > LONGEST_UNFINISHED;
}

async function unclaimed({ andon }: VaultContext, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { list, params } = inList(keys.map(fileOfKey), 0);
  const claimed = await andon.store.query<{ path: string }>(
    `select path from file_storage_objects where file_id in (${list}) and storage_type = 'CACHE'`,
    params,
  );
  const known = new Set(claimed.map(({ path }) => path));
  return keys.filter((key) => !known.has(key));
}
