import { filledPath, ROUTES, type Route, type RouteTable } from "@andon/contract";
import type * as z from "zod";
import { RefusedError } from "./refused.ts";

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8400`. */
  url: string;
  /** An API key or a JWT. Default: none, as in the console, which authenticates by a cookie. */
  token?: string | undefined;
  /** The language of messages. Default: the server's, Korean. */
  language?: "ko" | "en" | undefined;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

/** `z.input` of an empty object schema would reject the members of the other parts. */
type Fields<S extends z.ZodObject> = keyof S["shape"] extends never ? unknown : z.input<S>;
type BodyOf<R> = R extends { body: infer B extends z.ZodType } ? z.input<B> : unknown;

/** The input of a call: path parameters, query and body in one object. */
export type Input<R extends Route> = Fields<R["params"]> & Fields<R["query"]> & BodyOf<R>;
type Accepted<R extends Route> = R extends { accepted: infer A extends z.ZodType } ? z.output<A> : never;
export type Answer<R extends Route> = z.output<R["answer"]>;
/** The answer, or, for work that continues in the background, the id to follow it by. */
export type AnswerOrAccepted<R extends Route> = Answer<R> | Accepted<R>;

type Call<R extends Route> =
  Record<never, never> extends Input<R>
    ? (input?: Input<R>, options?: CallOptions) => Promise<AnswerOrAccepted<R>>
    : (input: Input<R>, options?: CallOptions) => Promise<AnswerOrAccepted<R>>;

export type ClientOf<T extends RouteTable> = {
  readonly [Group in keyof T]: { readonly [Name in keyof T[Group]]: Call<T[Group][Name]> };
};

export type Client = ClientOf<typeof ROUTES>;

/** A client of the host's own routes: `client.queues.status({ queue: "mail" })`. */
export function createClient(options: ClientOptions): Client {
  return clientOf(ROUTES, options);
}

/** A client of any table of routes, such as an app's. */
export function clientOf<T extends RouteTable>(table: T, options: ClientOptions): ClientOf<T> {
  const groups = Object.entries(table).map(([group, routes]) => {
    const calls = Object.entries(routes).map(([name, route]) => [name, callOf(route, options)]);
    return [group, Object.fromEntries(calls)];
  });
  return Object.fromEntries(groups) as ClientOf<T>;
}

function callOf(route: Route, options: ClientOptions) {
  const send = options.fetch ?? fetch;
  return async (input: Record<string, unknown> | undefined, call: CallOptions = {}): Promise<unknown> => {
    const { path, query, body } = requestOf(route, input ?? {});
    const response = await send(new URL(path + query, options.url), {
      method: route.method,
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.language ? { "accept-language": options.language } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(call.signal ? { signal: call.signal } : {}),
    });
    if (!response.ok) throw await RefusedError.of(response);
    return route.media ? response.text() : response.json();
  };
}

/** Splits the input into path, query and body. No route uses one name in two of them. */
function requestOf(route: Route, input: Record<string, unknown>) {
  const rest = { ...input };
  const path = filledPath(route.path, (name) => {
    const value = rest[name];
    delete rest[name];
    return String(value);
  });
  const query = new URLSearchParams();
  for (const name of Object.keys(route.query.shape)) {
    const value = rest[name];
    delete rest[name];
    if (value !== undefined) query.set(name, String(value));
  }
  const hasBody = route.body !== undefined && Object.keys(rest).length > 0;
  return { path, query: query.size > 0 ? `?${query}` : "", body: hasBody ? rest : undefined };
}
