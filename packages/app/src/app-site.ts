import type { Readable } from "node:stream";
import type { Language } from "@andon/contract";
import type { Andon, Queue, Tx } from "@andon/engine";
import type { Call } from "./call.ts";

/** The log of the process. */
export interface AppLog {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/** What an app gets when it is opened. */
export interface AppHost {
  readonly andon: Andon;
  /** The checked settings of the app: `own` below the app's name, `shared` by key. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The address of Redis, if the settings have one (`redisUrl`). */
  readonly redisUrl?: string | undefined;
  readonly log: AppLog;
  /** The data folder of the process. */
  readonly data: string;
  /** The language of texts without a particular reader, such as those of readiness checks. */
  readonly language: Language;
}

/** An object that an app has stored or deleted, as it announces it to the other apps. */
export interface AnnouncedObject {
  /** The app's name for the place where its objects are stored. */
  readonly bucket: string;
  readonly key: string;
  readonly fileId: string;
  readonly size: number;
  readonly mimeType: string;
  /** Distinguishes this content of the key from an earlier one. */
  readonly versionId: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly actor: string;
  readonly traceId: string | null;
}

/** What an app announces to the others, by event. */
export interface Announcements {
  readonly "object.created": readonly AnnouncedObject[];
  /** Moved to the trash, or deleted for good. */
  readonly "object.deleted": readonly Pick<AnnouncedObject, "bucket" | "fileId" | "tenantId">[];
  /** Restored from the trash. */
  readonly "object.restored": readonly Pick<AnnouncedObject, "bucket" | "fileId" | "tenantId">[];
}

/** The bytes of an object. */
export interface ObjectContent {
  readonly stream: Readable;
  readonly size: number;
}

/** The services with which an app builds its queues and routes. */
export interface AppSite {
  readonly andon: Andon;
  queue(name: string): Queue<unknown>;
  /** Notifies the other apps that listen, inside this transaction: their writes commit with it. */
  announce<Name extends keyof Announcements>(name: Name, facts: Announcements[Name], tx: Tx): Promise<void>;
  /** Reads an object of a bucket that an app provides; undefined if no app provides the bucket. */
  readObject(
    bucket: string,
    object: { readonly tenantId: string; readonly fileId: string },
    signal: AbortSignal,
  ): Promise<ObjectContent> | undefined;
  /**
   * Runs `work` in one transaction, once per idempotency key of the caller: the same key and fingerprint give the first
   * answer again, another fingerprint is refused. Without a key it is a transaction like any other.
   */
  once<Answer>(
    call: Pick<Call, "idempotencyKey" | "principal">,
    request: { route: string; fingerprint: string },
    work: (tx: Tx) => Promise<Answer>,
  ): Promise<Answer>;
}
