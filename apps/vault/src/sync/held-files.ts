import { iso, type Language, localError, type Principal, withDecision } from "@andon/contract";
import type { Andon, HeldLane, Tx } from "@andon/engine";
import { type PageRequest, pageOf } from "../bounded-list.ts";
import type { SyncOperation } from "../contract/routes.ts";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { below, pathsOf } from "../folders/paths.ts";
import { inList } from "../sql-lists.ts";
import { findInTrash } from "../trash/trash-row.ts";
import { SYNC_QUEUE } from "../vault-context.ts";
import { FILE_LANES, fileOfLane } from "./sync-job.ts";

/** The files that wait for a person and that the caller may see, longest held first. */
export async function heldFiles(
  andon: Andon,
  { tenantId, organizationId }: Pick<Principal, "tenantId" | "organizationId">,
  request: PageRequest,
  language: Language,
) {
  const { reading, store } = andon;
  const { page, limit } = request;
  const filter = { queue: SYNC_QUEUE, keys: FILE_LANES, tenant: tenantId, organization: organizationId };
  const { items, total, more } = await reading.heldLanes(filter, { page, limit });
  const files = await filesById(
    store,
    items.map(({ key }) => fileOfLane(key)),
  );
  const held = items.flatMap((lane) => {
    const file = files.get(fileOfLane(lane.key));
    return file ? [{ lane, file }] : [];
  });
  const entries = await Promise.all(held.map(({ lane, file }) => entryOf(andon, lane, file, language)));
  return pageOf(request, { total, isMore: more === true }, entries);
}

async function filesById(
  rows: Pick<Tx, "query">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, File>> {
  if (ids.length === 0) return new Map();
  const { list, params } = inList(ids, 0);
  const found = await rows.query<File>(`select ${FILE_COLUMNS} from files where id in (${list})`, params);
  return new Map(found.map((file) => [file.id, file]));
}

async function entryOf(andon: Andon, { held, depth, job }: HeldLane, file: File, language: Language) {
  const pending = andon.undoWindow > 0 ? await andon.pendingDecision(job.id) : undefined;
  return {
    fileId: file.id,
    name: file.name,
    path: await shownPath(andon.store, file),
    heldAt: iso(held?.at ?? 0),
    operation: job.name as SyncOperation,
    error: job.error && localError(job.error, language).message,
    waitingBehind: depth - 1,
    jobId: job.id,
    ...withDecision(pending),
  };
}

/** The path that people see; a file that is in the trash or deleted for good has its last path. */
async function shownPath(rows: Pick<Tx, "query">, file: File): Promise<string> {
  const { id, tenantId, folderId, name, state } = file;
  const trashed = state === "TRASHED" ? await findInTrash(rows, tenantId, id) : undefined;
  if (trashed) return trashed.originalPath;
  const folders = await pathsOf(rows, tenantId, [folderId]);
  return below(folders.get(folderId) ?? "/", name);
}
