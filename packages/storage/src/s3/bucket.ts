import {
  DeleteObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { faultCodeOf } from "../driver-error-codes.ts";
import { destinationFaultOf, isDoubtful } from "../faults.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import type { S3Address } from "./s3-url.ts";

const LONGEST_KEY = 1024;

/** One bucket with a prefix: its keys, the few requests that every operation needs, and what its errors mean. */
export class Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly prefix: string;
  readonly place: string;

  constructor({ bucket, prefix, config }: S3Address) {
    // Without timeouts, a request to a server that has disappeared would wait for ever.
    const requestHandler = { connectionTimeout: 5_000, socketTimeout: 60_000 };
    this.client = new S3Client({ requestHandler, ...config });
    this.name = bucket;
    this.prefix = prefix === "" ? "" : `${prefix}/`;
    this.place = `s3://${bucket}/${prefix}`;
  }

  keyOf(path: string): string {
    const key = this.prefix + path;
    if (Buffer.byteLength(key) > LONGEST_KEY) {
      throw new StorageError("NAME_TOO_LONG", { place: this.place, path });
    }
    return key;
  }

  pathOf(key: string): string {
    return key.slice(this.prefix.length);
  }

  async head(key: string): Promise<HeadObjectCommandOutput | undefined> {
    try {
      return await this.client.send(new HeadObjectCommand({ Bucket: this.name, Key: key }));
    } catch (error) {
      if (faultCodeOf(error) !== "SOURCE_MISSING") throw error;
      // A missing bucket gives the same answer as a missing object.
      await this.check();
      return undefined;
    }
  }

  async putEmpty(key: string, condition: { IfNoneMatch?: string } = {}): Promise<void> {
    await this.client.send(
      new PutObjectCommand({ Bucket: this.name, Key: key, Body: "", ContentLength: 0, ...condition }),
    );
  }

  /** With the signal, the client does not retry a failed request after an abort. */
  async delete(key: string, signal?: AbortSignal): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.name, Key: key });
    signal?.throwIfAborted();
    await this.client.send(command, signal ? { abortSignal: signal } : {});
  }

  /** Up to two keys with this prefix: enough to know whether a folder exists, and whether it is empty. */
  async someKeys(start: string): Promise<string[]> {
    const { Contents = [] } = await this.client.send(
      new ListObjectsV2Command({ Bucket: this.name, Prefix: start, MaxKeys: 2 }),
    );
    return Contents.map(({ Key = "" }) => Key);
  }

  /** Throws a fault of the destination if the bucket itself cannot be used. */
  async check(): Promise<void> {
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.name }));
    } catch (error) {
      const { code, reason = "" } = asStorageError(error, { place: this.place });
      throw new StorageError(destinationFaultOf(code), { place: this.place, reason }, { cause: error });
    }
  }

  /** The fault that an error means. A doubtful code is reported only if the bucket itself passes a check. */
  async faultOf(error: unknown, path: string): Promise<StorageError> {
    const problem = asStorageError(error, { place: this.place, path });
    if (!isDoubtful(problem.code)) return problem;
    try {
      await this.check();
      return problem;
    } catch (sick) {
      return sick as StorageError;
    }
  }
}
