import type { Tx } from "@andon/engine";
import type { File } from "../files/file-row.ts";
import { below, pathsOf } from "../folders/paths.ts";
import { nasPath, trashPath } from "./nas-path.ts";

type Placed = Pick<File, "id" | "tenantId" | "folderId" | "name" | "state">;

/** The paths on the NAS where files of one tenant belong, by their ids; null for deleted files. */
async function expectedPaths(
  rows: Pick<Tx, "query">,
  tenantId: string,
  files: readonly Placed[],
): Promise<ReadonlyMap<string, string | null>> {
  const active = files.filter(({ state }) => state === "ACTIVE");
  const folders = await pathsOf(
    rows,
    tenantId,
    active.map(({ folderId }) => folderId),
  );
  return new Map(
    files.map(({ id, state, folderId, name }) => {
      if (state === "DELETED") return [id, null];
      if (state === "TRASHED") return [id, trashPath(tenantId, id, name)];
      return [id, nasPath(tenantId, below(folders.get(folderId) ?? "/", name))];
    }),
  );
}

export async function expectedPath(rows: Pick<Tx, "query">, file: Placed): Promise<string | null> {
  return (await expectedPaths(rows, file.tenantId, [file])).get(file.id) ?? null;
}
