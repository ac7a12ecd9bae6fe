import * as z from "zod";
import type { Permission } from "../permissions.ts";

/** Who may call a route: anybody, anybody who is signed in, or who holds a permission. */
export type Access = Permission | "public" | "signed-in";

/**
 * One route. This table is the only source: the server mounts and guards by it, the documentation and the client are
 * made from it, and a test tries every row of it.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` is a parameter, `::` a colon as it is: see `route-path.ts`. */
  readonly path: string;
  /** A second path of the same route. */
  readonly otherPath?: string;
  /** The path below an alias of its queue, such as `/status`: where an app has an alias, the route is there too. */
  readonly belowAlias?: string;
  readonly access: Access;
  /** `whole`: it affects all tenants, so a key with a scope is refused. */
  readonly reach: "own" | "whole";
  readonly summary: string;
  /** The code of success. Default 200. */
  readonly status?: number;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Absent: the route takes no body. */
  readonly body?: z.ZodType;
  /** The most bytes that its body may have, where that is less than any route takes. */
  readonly largestBody?: number;
  /**
   * `multipart`: the body is an upload in parts, which the handler reads as they arrive; with `body` the route also takes JSON.
   * `items`: the body is a list, as JSON or, of any length, as NDJSON; the handler reads its items as they arrive. `text`: the
   * content type of the body is JSON, but the handler gets the unparsed text, so that invalid JSON reaches it too.
   */
  readonly takes?: "multipart" | "items" | "text";
  /** The schema of one item of an `items` body. */
  readonly item?: z.ZodType;
  /** It also works while the store does not answer; then a caller who was checked shortly before is let in. */
  readonly withoutStore?: true;
  /** The fields of an upload that are text, all of them optional: each is checked alone, as it comes. */
  readonly fields?: z.ZodObject;
  /** The field of an upload that holds the bytes. Default: `file`. */
  readonly fileField?: string;
  readonly answer: z.ZodType;
  /** The answer instead, with 202, where the work takes longer than two seconds and continues by itself, or is held back. */
  readonly accepted?: z.ZodType;
  /** The media type of an answer that is not JSON, such as `text/event-stream`. */
  readonly media?: string;
  /** Codes of errors of this route, beside those that any route may answer. */
  readonly errors?: readonly string[];
}

export type RouteTable = { readonly [group: string]: { readonly [name: string]: Route } };

const nothing = z.strictObject({});

type Given = Omit<Route, "params" | "query" | "reach"> & Partial<Pick<Route, "params" | "query" | "reach">>;

type QueryOf<G> = G extends { query: infer Q extends z.ZodObject } ? Q : typeof nothing;
type ParamsOf<G> = G extends { params: infer P extends z.ZodObject } ? P : typeof nothing;

type Filled<G, Params> = Omit<G, "params" | "query" | "reach"> & {
  readonly params: Params;
  readonly query: QueryOf<G>;
  readonly reach: Route["reach"];
};

/** Fills in what most routes leave out: no parameters, no query, and `reach` `own`. */
export function route<const G extends Given>(given: G): Filled<G, ParamsOf<G>> {
  return { params: nothing, query: nothing, reach: "own", ...given } as unknown as Filled<G, ParamsOf<G>>;
}

const queueName = z.strictObject({
  queue: z
    .string()
    .regex(/^[a-zA-Z0-9][\w.:-]{0,99}$/)
    .describe("The queue's name."),
});

type QueueParams<G> = G extends { params: z.ZodObject<infer P> }
  ? z.ZodObject<typeof queueName.shape & P, z.core.$strict>
  : typeof queueName;
type OnQueue<G> = Filled<Omit<G, "short">, QueueParams<G>>;

/** A route of one queue, `/admin/queues/:queue/…`; with `short` also below every alias that an app has for its queue. */
export function queueRoute<const G extends Given & { short?: true }>(given: G): OnQueue<G> {
  const { short, path, params, ...rest } = given as Given & { short?: true };
  const onQueue: Given = {
    ...rest,
    path: `/admin/queues/:queue${path}`,
    ...(short ? { belowAlias: path } : {}),
    params: queueName.extend(params?.shape ?? {}),
  };
  return route(onQueue) as unknown as OnQueue<G>;
}
