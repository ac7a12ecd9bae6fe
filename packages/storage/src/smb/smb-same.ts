import { fingerprintOf } from "../metered-source.ts";
import { OTHER_BYTES, otherSize } from "../reasons.ts";
import type { Expected } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Share } from "./share.ts";
import { readFromShare } from "./smb-read.ts";

/** Throws `TARGET_EXISTS` unless the file at a path is the expected one. */
export async function mustBeSame(
  share: Share,
  path: string,
  names: readonly string[],
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = { place: share.place, path };
  const entry = await share.look(names);
  if (entry?.kind !== "file") throw new StorageError("TARGET_EXISTS", where);
  if (entry.size !== expected.size) {
    throw new StorageError("TARGET_EXISTS", { ...where, reason: otherSize(entry.size, expected.size) });
  }
  if (expected.sha256 === undefined) return;
  const { sha256 } = await fingerprintOf((await readFromShare(share, path, { signal })).stream);
  if (sha256 !== expected.sha256) throw new StorageError("TARGET_EXISTS", { ...where, reason: OTHER_BYTES });
}
