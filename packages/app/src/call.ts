import type { Readable } from "node:stream";
import type { Language, Principal, Route, RouteTable } from "@andon/contract";
import type * as z from "zod";
import type { Accepted } from "./accepted.ts";
import type { Bytes } from "./bytes.ts";

/** One call of a route, checked by its schemas, from a caller who is allowed to make it. */
export interface Call<R extends Route = Route> {
  readonly params: z.output<R["params"]>;
  readonly query: z.output<R["query"]>;
  readonly body: R extends { body: infer B extends z.ZodType }
    ? z.output<B> | (R extends { takes: "multipart" } ? undefined : never)
    : undefined;
  readonly principal: Principal;
  readonly language: Language;
  readonly traceId: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** The caller's key for this request, so that a request that is sent twice is carried out once. */
  readonly idempotencyKey: string | undefined;
  /** The parts of an upload in the order received, if the route takes one. Each stream must be read before the next. */
  parts(): AsyncIterable<UploadPart>;
  /** The items of a body that is a list, one after the other as received, if the route takes it as a stream. */
  items(): AsyncIterable<unknown>;
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

type AnswerOf<R extends Route> = z.input<R["answer"]>;

export type Serve<R extends Route> = (call: Call<R>) => Promise<AnswerOf<R> | Accepted<AnswerOf<R>> | Bytes>;

/** A handler for every route of a table: one that is missing does not compile. */
export type ServeAll<T extends RouteTable> = {
  readonly [Group in keyof T]: { readonly [Name in keyof T[Group]]: Serve<T[Group][Name]> };
};
