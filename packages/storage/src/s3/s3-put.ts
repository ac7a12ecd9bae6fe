import type { Readable } from "node:stream";
import { MeteredSource } from "../metered-source.ts";
import { writableNamesOf } from "../names.ts";
import { keptInPart } from "../reasons.ts";
import type { Fingerprint, PutOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Bucket } from "./bucket.ts";
import { mustBeSame } from "./s3-same.ts";
import { uploadWithoutOverwriting } from "./s3-upload.ts";

export async function putObject(
  bucket: Bucket,
  path: string,
  source: Readable,
  options: PutOptions,
  isConditional: () => Promise<boolean>,
): Promise<Fingerprint> {
  const { size, sha256, signal } = options;
  const where = { place: bucket.place, path };
  const metered = new MeteredSource(source, options, where);
  try {
    writableNamesOf(path);
    const key = bucket.keyOf(path);
    const before = sha256 === undefined ? undefined : await bucket.head(key);
    if (before && sha256 !== undefined) {
      const expected = { size: size ?? before.ContentLength ?? 0, sha256 };
      await mustBeSame(bucket, path, expected, signal);
      return expected;
    }
    const metadata: Record<string, string> = sha256 === undefined ? {} : { sha256 };
    const conditional = await isConditional();
    const isStored = await uploadWithoutOverwriting(bucket, key, metered.chunks(), {
      conditional,
      metadata,
      size,
      signal,
    });
    const { fingerprint } = metered;
    if (!isStored) await mustBeSame(bucket, path, fingerprint, signal);
    const kept = (await bucket.head(key))?.ContentLength;
    if (kept !== fingerprint.size) {
      const reason = keptInPart(kept ?? 0, fingerprint.size);
      throw new StorageError("CHECKSUM_MISMATCH", { ...where, reason });
    }
    return fingerprint;
  } catch (error) {
    if (metered.failure) throw metered.failure.error;
    if (signal?.aborted) throw signal.reason;
    throw await bucket.faultOf(error, path);
  } finally {
    metered.destroy();
  }
}
