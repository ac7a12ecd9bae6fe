import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { faultCodeOf } from "../driver-error-codes.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import type { Bucket } from "./bucket.ts";

/** The memory of an upload is the number of parts in flight × the size of a part. */
const PARTS_IN_FLIGHT = 4;
const SMALLEST_PART = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;

export interface UploadOptions {
  /** Whether the server itself refuses to overwrite. */
  readonly conditional: boolean;
  readonly metadata: Record<string, string>;
  readonly size: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * An object appears when its upload finishes, complete or not at all. So uploads go to the final key, and an unfinished
 * upload is a multipart upload without a name. Right before the finish the key is looked up, for one upload to a key at
 * a time; a server that can refuse to overwrite is also asked to refuse. Answers false if the key was taken.
 */
export async function uploadWithoutOverwriting(
  bucket: Bucket,
  key: string,
  chunks: AsyncIterable<Buffer>,
  options: UploadOptions,
): Promise<boolean> {
  const upload = new Upload({
    client: lookingBeforeFinishing(bucket, key, options.signal),
    params: {
      Bucket: bucket.name,
      Key: key,
      Body: Readable.from(chunks, { objectMode: false }),
      Metadata: options.metadata,
      ...(options.conditional ? { IfNoneMatch: "*" } : {}),
    },
    queueSize: PARTS_IN_FLIGHT,
    partSize: Math.max(SMALLEST_PART, Math.ceil((options.size ?? 0) / MOST_PARTS)),
    leavePartsOnError: true,
  });
  try {
    await upload.done();
    return true;
  } catch (error) {
    if (upload.uploadId) await abort(bucket, key, upload.uploadId).catch(() => {});
    if (isKeyTaken(error)) return false;
    throw error;
  }
}

/**
 * Aborts every unfinished upload to a key. Their parts are deleted, and a process that still sends parts gets
 * `TEMPORARY_GONE`.
 */
export async function abortUploads(bucket: Bucket, key: string): Promise<void> {
  const { Uploads = [] } = await bucket.client.send(
    new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: key }),
  );
  for (const { Key, UploadId = "" } of Uploads) {
    if (Key === key) await abort(bucket, key, UploadId);
  }
}

async function abort(bucket: Bucket, key: string, uploadId: string): Promise<void> {
  try {
    await bucket.client.send(
      new AbortMultipartUploadCommand({ Bucket: bucket.name, Key: key, UploadId: uploadId }),
    );
  } catch (error) {
    if (faultCodeOf(error) !== "TEMPORARY_GONE") throw error;
  }
}

class KeyTaken extends Error {}

const finishing = new KeyedMutex();

/** Runs the request that makes an object appear, unless the key is taken. */
export async function finishIfFree<T>(bucket: Bucket, key: string, finish: () => Promise<T>): Promise<T> {
  return await finishing.run(`${bucket.place} ${key}`, async () => {
    if (await bucket.head(key)) throw new KeyTaken();
    return await finish();
  });
}

export function isKeyTaken(error: unknown): boolean {
  return error instanceof KeyTaken || faultCodeOf(error) === "TARGET_EXISTS";
}

/**
 * The bucket's client. It looks up the key before the request that makes the object appear, and sends every request
 * with the signal.
 */
function lookingBeforeFinishing(bucket: Bucket, key: string, signal: AbortSignal | undefined): S3Client {
  const sendUnderSignal = (command: Parameters<S3Client["send"]>[0]) =>
    bucket.client.send(command as PutObjectCommand, signal ? { abortSignal: signal } : {});
  const send = async (command: Parameters<S3Client["send"]>[0]) => {
    const finishes = command instanceof PutObjectCommand || command instanceof CompleteMultipartUploadCommand;
    if (!finishes) return await sendUnderSignal(command);
    return await finishIfFree(bucket, key, () => sendUnderSignal(command));
  };
  return Object.create(bucket.client, { send: { value: send } });
}
