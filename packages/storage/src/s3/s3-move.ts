import { createHash } from "node:crypto";
import { CopyObjectCommand, type HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { faultCodeOf } from "../driver-error-codes.ts";
import { joinPath, namesOf, removableNamesOf, writableNamesOf } from "../names.ts";
import { otherSize } from "../reasons.ts";
import type { Expected } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Bucket } from "./bucket.ts";
import { readObject } from "./s3-read.ts";
import { mustBeSame } from "./s3-same.ts";
import { finishIfFree, isKeyTaken, uploadWithoutOverwriting } from "./s3-upload.ts";

/** S3 copies objects up to this size on the server; larger ones are copied through this process. */
const LARGEST_COPY = 5 * 1024 ** 3;

export interface MoveOptions {
  readonly conditional: boolean;
  readonly largestCopy?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Copies, verifies, then deletes the source. The copy's metadata records its origin, so that a run after a crash in
 * between can tell its own copy from another object under that name.
 */
export async function moveObject(
  bucket: Bucket,
  from: string,
  to: string,
  expected: Expected,
  options: MoveOptions,
): Promise<void> {
  writableNamesOf(to);
  removableNamesOf(from);
  const [source, target] = [await bucket.head(bucket.keyOf(from)), await bucket.head(bucket.keyOf(to))];
  if (!source) {
    if (!target) throw new StorageError("SOURCE_MISSING", { place: bucket.place, path: from });
    return await mustBeSame(bucket, to, expected, options.signal);
  }
  if (source.ContentLength !== expected.size) {
    const reason = otherSize(source.ContentLength, expected.size);
    throw new StorageError("SOURCE_CHANGED", { place: bucket.place, path: from, reason });
  }
  if (from === to) return;
  const origin = originOf(from, source);
  if (!target) await copyWithoutOverwriting(bucket, from, to, source, origin, options);
  const copy = await bucket.head(bucket.keyOf(to));
  if (copy?.Metadata?.["moved-from"] !== origin || copy.ContentLength !== expected.size) {
    throw new StorageError("TARGET_EXISTS", { place: bucket.place, path: to });
  }
  await bucket.delete(bucket.keyOf(from), options.signal);
}

async function copyWithoutOverwriting(
  bucket: Bucket,
  from: string,
  to: string,
  source: HeadObjectCommandOutput,
  origin: string,
  { conditional, largestCopy = LARGEST_COPY, signal }: MoveOptions,
): Promise<void> {
  const [sourceKey, key] = [bucket.keyOf(from), bucket.keyOf(to)];
  const size = source.ContentLength ?? 0;
  const metadata = { ...source.Metadata, "moved-from": origin };
  if (size > largestCopy) {
    const { stream } = await readObject(bucket, from, { signal });
    await uploadWithoutOverwriting(bucket, key, stream, { conditional, metadata, size, signal });
    return;
  }
  const copy = (condition: { IfNoneMatch?: string }) =>
    bucket.client.send(
      new CopyObjectCommand({
        Bucket: bucket.name,
        Key: key,
        CopySource: encodeURI(`${bucket.name}/${sourceKey}`).replace(/[?#+]/g, encodeURIComponent),
        Metadata: metadata,
        MetadataDirective: "REPLACE",
        ...(source.ContentType === undefined ? {} : { ContentType: source.ContentType }),
        ...condition,
      }),
      signal ? { abortSignal: signal } : {},
    );
  try {
    await finishIfFree(bucket, key, async () => {
      try {
        await copy(conditional ? { IfNoneMatch: "*" } : {});
      } catch (error) {
        // A server can support conditional uploads without conditional copies.
        if (!conditional || faultCodeOf(error) !== "NOT_SUPPORTED") throw error;
        await copy({});
      }
    });
  } catch (error) {
    if (!isKeyTaken(error)) throw error;
  }
}

/** A folder is an empty object whose key ends with a slash, or is implied by the objects in it. */
export async function moveEmptyPrefix(bucket: Bucket, from: string, to: string): Promise<void> {
  writableNamesOf(to);
  removableNamesOf(from);
  const [source, target] = [bucket.keyOf(`${from}/`), bucket.keyOf(`${to}/`)];
  const [inSource, inTarget] = [await bucket.someKeys(source), await bucket.someKeys(target)];
  if (inSource.length === 0) {
    if (inTarget.length > 0) return;
    throw new StorageError("SOURCE_MISSING", { place: bucket.place, path: from });
  }
  if (inSource.some((key) => key !== source)) {
    throw new StorageError("FOLDER_NOT_EMPTY", { place: bucket.place, path: from });
  }
  if (inTarget.some((key) => key !== target) || (await bucket.head(bucket.keyOf(to)))) {
    throw new StorageError("TARGET_EXISTS", { place: bucket.place, path: to });
  }
  await bucket.putEmpty(target);
  await bucket.delete(source);
}

export async function removeEmptyPrefix(bucket: Bucket, path: string, upwards: boolean): Promise<boolean> {
  if (path === "") return false;
  removableNamesOf(path);
  const key = bucket.keyOf(`${path}/`);
  if ((await bucket.someKeys(key)).some((found) => found !== key)) return false;
  await bucket.delete(key);
  if (upwards) await removeEmptyPrefix(bucket, joinPath(...namesOf(path).slice(0, -1)), true);
  return true;
}

function originOf(from: string, source: HeadObjectCommandOutput): string {
  return createHash("sha256").update(`${from}\n${source.ETag}`).digest("hex");
}
