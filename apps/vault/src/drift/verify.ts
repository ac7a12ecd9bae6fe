import type { Job } from "@andon/contract";
import { type Commit, commit, type HandlerContext } from "@andon/engine";
import type { VaultParts } from "../parts.ts";
import type { Reading } from "../sync/same-bytes.ts";
import { checkFile, nextFiles } from "./check-files.ts";
import { strangersAmong, stretchesOnNas } from "./check-nas.ts";
import { addFindings, dropFoundOnNas, type NewFinding } from "./findings.ts";
import { endRun } from "./runs.ts";

export interface VerifyPayload {
  readonly runId: string;
  readonly checksum: boolean;
}

/**
 * The last file that was looked at; once all were, the NAS itself is walked, from its beginning. `leftOut` counts the files
 * that could not be compared.
 */
type Cursor = (({ readonly after: string } | { readonly walk: true }) & { readonly leftOut?: number }) | null;

/** How many files the comparison has left out so far, as its job tells. */
export function leftOutOf({ cursor }: Pick<Job, "cursor">): number | undefined {
  return (cursor as Cursor)?.leftOut;
}

/**
 * Compares the store with the cache and the NAS, both ways: every file with its bytes, and everything that lies on the NAS
 * with the files. Nothing is kept in memory but the stretch at hand, and after a crash it goes on with the last stretch.
 */
export async function verify(
  parts: VaultParts,
  job: Job<VerifyPayload>,
  context: HandlerContext,
): Promise<Commit> {
  const { runId, checksum } = job.payload;
  const { signal } = context;
  const reading: Reading = { signal, onProgress: () => context.progress() };
  let cursor = job.cursor as Cursor;

  while (cursor === null || "after" in cursor) {
    signal.throwIfAborted();
    const files = await nextFiles(parts.andon.store, cursor?.after ?? "");
    const found: NewFinding[] = [];
    let leftOut: number = cursor?.leftOut ?? 0;
    for (const file of files) {
      const ofFile = await checkFile(parts, file, { checksum }, reading);
      if (ofFile) found.push(...ofFile);
      else leftOut++;
      context.progress();
    }
    const last = files.at(-1);
    cursor = last ? { after: last.id, leftOut } : { walk: true, leftOut };
    await context.checkpoint(cursor, (tx) => addFindings(tx, runId, found, files.length));
  }

  await context.checkpoint(cursor, (tx) => dropFoundOnNas(tx, runId));
  for await (const stretch of stretchesOnNas(parts)) {
    signal.throwIfAborted();
    const found = await strangersAmong(parts, stretch);
    if (found.length > 0) await context.checkpoint(cursor, (tx) => addFindings(tx, runId, found, 0));
    context.progress();
  }
  const now = parts.andon.store.clock.now();
  return commit((tx) => endRun(tx, runId, { state: "DONE", error: null, now }));
}
