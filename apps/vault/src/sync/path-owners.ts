import type { Tx } from "@andon/engine";
import { inList } from "../sql-lists.ts";
import { UNFINISHED_OF_DELETED } from "./forget-deleted.ts";

/** As much of a path as its index holds. */
const INDEXED = 200;

/** Which files the store knows at these paths of the NAS. One that is deleted for good owns what something will still take away. */
export async function ownersOf(
  rows: Pick<Tx, "query">,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const owners = new Map<string, Set<string>>();
  if (paths.length === 0) return owners;
  const wanted = new Set(paths);
  const starts = new Set(paths.map((path) => [...path].slice(0, INDEXED).join("")));
  const { list, params } = inList([...starts], 0);
  const found = await rows.query<{ path: string; file_id: string }>(
    `select path, file_id from file_storage_objects s
where substr(path, 1, ${INDEXED}) in (${list}) and storage_type = 'NAS'
and not exists (select 1 from files f where f.id = s.file_id and f.state = 'DELETED' and not exists (${UNFINISHED_OF_DELETED}))`,
    params,
  );
  for (const { path, file_id } of found) {
    if (wanted.has(path)) owners.set(path, (owners.get(path) ?? new Set()).add(file_id));
  }
  return owners;
}

/** Whether a path is known as that of another file, also where it was this one's: a name that is free again goes to whoever comes next. */
export async function isAnothers(rows: Pick<Tx, "query">, path: string, fileId: string): Promise<boolean> {
  const owners = (await ownersOf(rows, [path])).get(path) ?? new Set();
  return [...owners].some((owner) => owner !== fileId);
}
