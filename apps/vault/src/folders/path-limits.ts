import type { Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";

const DEEPEST = 100;
/** The longest path on Linux. */
const MOST_BYTES = 4_096;

/** Whether a path, as people see it, is too long or too deep. The name of a file is not a level. */
function isTooLong(path: string, kind: "file" | "folder"): boolean {
  const levels = path.split("/").length - 1 - (kind === "file" ? 1 : 0);
  return levels > DEEPEST || Buffer.byteLength(path) > MOST_BYTES;
}

export function mustFitPath(path: string, kind: "file" | "folder"): void {
  if (isTooLong(path, kind))
    throw new VaultError("FOLDER_PATH_TOO_LONG", { depth: DEEPEST, bytes: MOST_BYTES });
}

/** Throws if a folder below would be too long after the move from `from` to `path`. The caller checks the files. */
export async function mustFitBelow(
  tx: Tx,
  tenantId: string,
  folder: { id: string; from: string; path: string },
): Promise<void> {
  mustFitPath(folder.path, "folder");
  const isNoLonger = Buffer.byteLength(folder.path) <= Buffer.byteLength(folder.from);
  if (isNoLonger && folder.path.split("/").length <= folder.from.split("/").length) return;
  const found = await tx.query<{ inner: string }>(
    `with recursive below (id, path) as (
  select id, cast('' as text) from folders where tenant_id = $1 and id = $2
  union all
  select f.id, below.path || '/' || f.name
  from below join folders f on f.tenant_id = $1 and f.parent_id = below.id
)
select path as "inner" from below`,
    [tenantId, folder.id],
  );
  for (const { inner } of found) mustFitPath(`${folder.path}${inner}`, "folder");
}
