import type { Tx } from "@andon/engine";
import { inList } from "../sql-lists.ts";
import { ROOT } from "./folder-row.ts";

/** The path of an item in a folder, as people see it. */
export function below(folderPath: string, name: string): string {
  return folderPath === "/" ? `/${name}` : `${folderPath}/${name}`;
}

/** The paths of folders by their ids, in one statement. Unknown folders are left out. */
export async function pathsOf(
  rows: Pick<Tx, "query">,
  tenantId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map([[ROOT, "/"]]);
  const wanted = [...new Set(ids)].filter((id) => id !== ROOT);
  if (wanted.length === 0) return paths;
  const { list, params } = inList(wanted, 1);
  const steps = await rows.query<{ folder: string; name: string }>(
    `with recursive up (folder, parent_id, name, depth) as (
  select id, parent_id, name, 0 from folders where tenant_id = $1 and id in (${list})
  union all
  select up.folder, f.parent_id, f.name, up.depth + 1
  from up join folders f on f.tenant_id = $1 and f.id = up.parent_id
)
select folder, name from up order by folder, depth desc`,
    [tenantId, ...params],
  );
  for (const { folder, name } of steps) paths.set(folder, below(paths.get(folder) ?? "/", name));
  return paths;
}

export async function pathOf(rows: Pick<Tx, "query">, tenantId: string, id: string): Promise<string> {
  const path = (await pathsOf(rows, tenantId, [id])).get(id);
  if (path === undefined) throw new Error(`folder ${id} has no path`);
  return path;
}
