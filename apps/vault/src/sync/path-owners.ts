import type { Tx } from "@andon/engine";
import { inList } from "../sql-lists.ts";

/** As much of a path as its index holds. */
const INDEXED = 200;

/** Which files the store knows at these paths of the NAS. */
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
    `select path, file_id from file_storage_objects
where substr(path, 1, ${INDEXED}) in (${list}) and storage_type = 'NAS'`,
    params,
  );
  for (const { path, file_id } of found) {
    if (wanted.has(path)) owners.set(path, (owners.get(path) ?? new Set()).add(file_id));
  }
  return owners;
}
