import type { Readable } from "node:stream";
import type { Job, Language, Principal, QueueRulesInput, Route, RouteTable } from "@andon/contract";
import type * as z from "zod";
import type { Andon } from "./library/andon.ts";
import type { Queue } from "./library/queue.ts";
import type { WorkOptions } from "./library/work.ts";
import type { Tx } from "./ports/store.ts";
import type { QueueHooks } from "./queue-definition.ts";
import type { Handler } from "./worker/handler.ts";

/** One call of a route, checked by its schemas, of a caller who may make it. */
export interface Call<R extends Route = Route> {
  readonly params: z.output<R["params"]>;
  readonly query: z.output<R["query"]>;
  readonly body: R extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
  readonly principal: Principal;
  readonly language: Language;
  readonly traceId: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** What the caller calls this request, so that sending it twice does it once. */
  readonly idempotencyKey: string | undefined;
  /** The parts of an upload in the order they come, where the route takes one. Each stream is read before the next. */
  parts(): AsyncIterable<UploadPart>;
}

export type UploadPart =
  | { readonly kind: "field"; readonly name: string; readonly value: string }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly fileName: string;
      readonly mimeType: string;
      readonly stream: Readable;
    };

/** From `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * An answer of bytes instead of JSON. What of them is sent, the request decides (a range, a copy that the caller has
 * already), so that they are opened only then.
 */
export class Bytes {
  /** Opens this part of them, or all. What it throws is the answer. */
  readonly open: (part: ByteRange | undefined) => Promise<Readable>;
  readonly mimeType: string;
  readonly size: number;
  readonly fileName: string;
  /** Equal for equal bytes. */
  readonly tag: string;

  constructor(bytes: Pick<Bytes, "open" | "mimeType" | "size" | "fileName" | "tag">) {
    this.open = bytes.open;
    this.mimeType = bytes.mimeType;
    this.size = bytes.size;
    this.fileName = bytes.fileName;
    this.tag = bytes.tag;
  }
}

export type Serve<R extends Route> = (call: Call<R>) => Promise<z.input<R["answer"]> | Bytes>;

/** A handler for every route of a table: one that is missing does not compile. */
export type ServeAll<T extends RouteTable> = {
  readonly [Group in keyof T]: { readonly [Name in keyof T[Group]]: Serve<T[Group][Name]> };
};

/** What a job is about, in the words of the operator API. */
export interface JobWords {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly eventType: string;
  readonly data: unknown;
  /** What people call what it is about, such as a file's name. Default: the job's first key. */
  readonly name?: string;
}

export interface SkipFindings {
  readonly availabilityStatus: "AVAILABLE" | "ERROR";
}

/** A queue that an app or a configuration brings. */
export interface AppQueue {
  readonly rules?: QueueRulesInput;
  /** Absent: the queue is there, and another process works it. */
  readonly handler?: Handler<never> | URL;
  readonly work?: WorkOptions;
  readonly hooks?: QueueHooks;
  readonly parse?: (value: unknown) => unknown;
  /** Default, and for a job that it has no words for: the job's first key, its name and its payload. */
  readonly words?: (job: Job) => JobWords | undefined;
  /**
   * Looks at the outside world before an operator settles a failed job by hand, outside of any transaction: whether the
   * operator has done what the job could not.
   */
  readonly beforeSkip?: (job: Job) => Promise<SkipFindings>;
  /** What the alert of a failed job is called. Default `LANE_HELD` where it holds a lane, else `JOB_FAILED`. */
  readonly heldAlert?: string;
}

/** A part of the outside world that an app needs, as readiness shows it. */
export interface Part {
  readonly name: string;
  readonly ok: boolean;
  /** The whole of it, for operators: it may name paths and hosts. */
  readonly problem: string | null;
  /** What anybody may hear of it, such as `NOT_MOUNTED`. Default: that it does not answer. */
  readonly code?: string;
}

/** What an app gets to build on. */
export interface AppSite {
  readonly andon: Andon;
  queue(name: string): Queue<unknown>;
  /**
   * Does `work` in one transaction, once per idempotency key of the caller: the same key and fingerprint give the first
   * answer again, another fingerprint is refused. Without a key it is a transaction like any other.
   */
  once<Answer>(
    call: Pick<Call, "idempotencyKey" | "principal">,
    request: { route: string; fingerprint: string },
    work: (tx: Tx) => Promise<Answer>,
  ): Promise<Answer>;
}

/** An app is a value: tables, queues and routes under one name. A host mounts any number of them. */
export interface App<T extends RouteTable = RouteTable> {
  readonly name: string;
  /** A folder with the subfolders `sqlite` and `postgres`, the same numbered files in both. */
  readonly migrations?: URL;
  /** Opens what the app works with: its tables are there, its queues are not defined yet. What it throws stops the start. */
  readonly open?: (andon: Andon) => Promise<void>;
  /** Closes it, when nothing runs any more; also where the start was stopped. */
  readonly close?: () => Promise<void>;
  readonly queues?: (site: AppSite) => Record<string, AppQueue>;
  /** Writes what depends on the rules that its queues have got; nothing runs yet. What it throws stops the start. */
  readonly prepare?: (site: AppSite) => Promise<void>;
  readonly routes?: T;
  readonly serve?: (site: AppSite) => ServeAll<T>;
  /** Looks at what it needs; a part that is away makes the host degraded, not unready. */
  readonly ready?: (site: AppSite) => Promise<readonly Part[]>;
}

export function defineApp<const T extends RouteTable>(app: App<T>): App<T> {
  return app;
}
