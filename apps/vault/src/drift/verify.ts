import type { Job } from "@andon/contract";
import { type Commit, commit, type HandlerContext } from "@andon/engine";
import type { ReadOptions } from "../sync/inspect-nas-path.ts";
import type { VaultContext } from "../vault-context.ts";
import { checkFile, nextFiles } from "./check-files.ts";
import { batchesOnNas, unknownAmong } from "./check-nas.ts";
import { addFindings, dropFoundOnNas, type NewFinding } from "./findings.ts";
import { endRun } from "./runs.ts";

export interface VerifyPayload {
  readonly runId: string;
  readonly checksum: boolean;
}

/**
 * The last file that was checked; after all files, the walk over the NAS, which always starts from its beginning.
 * `leftOut` counts the files that could not be compared.
 */
type Cursor = (({ readonly after: string } | { readonly walk: true }) & { readonly leftOut?: number }) | null;

/** How many files the comparison has left out so far, from its job's cursor. */
export function leftOutOf({ cursor }: Pick<Job, "cursor">): number | undefined {
  return (cursor as Cursor)?.leftOut;
}

/**
 * Compares the database with the cache and the NAS, both ways: every file with its bytes, and everything on the NAS with the
 * files. Only one batch is in memory, and after a crash it continues with the last batch.
 */
export async function verify(
  vault: VaultContext,
  job: Job<VerifyPayload>,
  context: HandlerContext,
): Promise<Commit> {
  const { runId, checksum } = job.payload;
  const { signal } = context;
  const readOptions: ReadOptions = { signal, onProgress: () => context.progress() };
  let cursor = job.cursor as Cursor;

  while (cursor === null || "after" in cursor) {
    signal.throwIfAborted();
    const files = await nextFiles(vault.andon.store, cursor?.after ?? "");
    const found: NewFinding[] = [];
    let leftOut: number = cursor?.leftOut ?? 0;
    for (const file of files) {
      const ofFile = await checkFile(vault, file, { checksum }, readOptions);
      if (ofFile) found.push(...ofFile);
      else leftOut++;
      context.progress();
    }
    const last = files.at(-1);
    cursor = last ? { after: last.id, leftOut } : { walk: true, leftOut };
    await context.checkpoint(cursor, (tx) => addFindings(tx, runId, found, files.length));
  }

  await context.checkpoint(cursor, (tx) => dropFoundOnNas(tx, runId));
  for await (const batch of batchesOnNas(vault)) {
    signal.throwIfAborted();
    const found = await unknownAmong(vault, batch);
    if (found.length > 0) await context.checkpoint(cursor, (tx) => addFindings(tx, runId, found, 0));
    context.progress();
  }
  const now = vault.andon.store.clock.now();
  return commit((tx) => endRun(tx, runId, { state: "DONE", error: null, now }));
}
