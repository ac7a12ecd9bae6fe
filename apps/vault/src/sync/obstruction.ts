import type { Job } from "@andon/contract";
import { isStorageError } from "@andon/storage";
import { keysBelow, pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { inList } from "../sql-lists.ts";

/** What the NAS says where a folder's name is still a file's, or a file's name still a folder's. */
const IN_THE_WAY = ["TARGET_EXISTS", "NOT_A_FOLDER", "NOT_A_FILE"] as const;

/**
 * Whether a failure is only that an operation before this one is not through: the file `a` was trashed and the folder `a`
 * made in its place, and `a/b` comes before `a` has gone. Their paths differ, so no lane keeps their order. An earlier
 * operation that waits for a person does not count: then this one shall wait for a person too.
 */
export async function waitsForAnother(
  { andon, settings }: VaultParts,
  job: Job,
  target: string,
  error: unknown,
): Promise<boolean> {
  if (!isStorageError(error) || !IN_THE_WAY.some((code) => code === error.code)) return false;
  const above = inList(
    ancestorsOf(target).map((path) => `path:${pathKey(path, settings)}`),
    4,
  );
  const { from, to } = keysBelow(target, settings);
  const [found] = await andon.store.query(
    `select 1 as one from andon_lanes l
join andon_lane_jobs o on o.queue = l.queue and o.lane_key = l.lane_key
where l.queue = $1 and l.held_at is null
and (l.lane_key in (${above.list}) or (l.lane_key >= $3 and l.lane_key < $4))
and o.pos < (select pos from andon_jobs where id = $2)
limit 1`,
    [SYNC_QUEUE, job.id, `path:${from}`, `path:${to}`, ...above.params],
  );
  return found !== undefined;
}

function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
