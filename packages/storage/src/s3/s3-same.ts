import { fingerprintOf } from "../metered-source.ts";
import { OTHER_BYTES, otherSize } from "../reasons.ts";
import type { Expected } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Bucket } from "./bucket.ts";
import { readObject } from "./s3-read.ts";

/**
 * Throws `TARGET_EXISTS` unless the object at a path is the expected one. An upload that knows the checksum beforehand
 * stores it in the object's metadata; without it, the bytes are read.
 */
export async function mustBeSame(
  bucket: Bucket,
  path: string,
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = { place: bucket.place, path };
  const head = await bucket.head(bucket.keyOf(path));
  if (!head) throw new StorageError("SOURCE_MISSING", where);
  if (head.ContentLength !== expected.size) {
    const reason = otherSize(head.ContentLength, expected.size);
    throw new StorageError("TARGET_EXISTS", { ...where, reason });
  }
  if (expected.sha256 === undefined) return;
  const sha256 =
    head.Metadata?.sha256 ??
    (await fingerprintOf((await readObject(bucket, path, { signal })).stream)).sha256;
  if (sha256 !== expected.sha256) throw new StorageError("TARGET_EXISTS", { ...where, reason: OTHER_BYTES });
}
