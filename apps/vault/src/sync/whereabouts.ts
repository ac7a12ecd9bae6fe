import type { NasObject } from "./nas-object.ts";
import type { OperationRun } from "./operation-run.ts";
import { isAnothers } from "./path-owners.ts";
import { hasBytes } from "./same-bytes.ts";

/**
 * Where a file's bytes lie on the NAS, elsewhere than at the target; undefined: nowhere that we know of.
 *
 * What the store knows is believed as long as nothing went wrong; a file that was changed there is found out by its
 * move or before its removal, and a person shall look. An operation that broke off and was then settled by hand may
 * have moved the bytes without the store's knowledge, and another file may lie where they were. After one, both the
 * place that the store knows and the one that the operation was told are asked for these very bytes, and a place that
 * is another file's by now is left alone.
 */
export async function whereabouts(
  run: OperationRun,
  { path, status }: NasObject,
  target: string | null,
): Promise<string | undefined> {
  const { parts, job } = run;
  if (status === "AVAILABLE") {
    const isThere = path !== null && path !== target && (await parts.nas.stat(path)) !== undefined;
    return isThere ? path : undefined;
  }
  for (const place of new Set([path, job.payload.sourcePath])) {
    if (place === null || place === target) continue;
    if (await isAnothers(parts.andon.store, place, job.payload.fileId)) continue;
    if (await hasBytes(parts.nas, place, job.payload, run.reading)) return place;
  }
  return undefined;
}
