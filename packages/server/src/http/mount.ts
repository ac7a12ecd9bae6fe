import type { Route, RouteTable } from "@andon/contract";
import { Bytes, type Call } from "@andon/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { sendBytes } from "./bytes.ts";
import { callerGone } from "./caller-gone.ts";
import { checkPart, refuseUnknownShape } from "./checked-request.ts";
import { languageOfRequest } from "./language.ts";
import { partsOf } from "./uploads.ts";

/** A call over HTTP: for the few routes that answer with something else than JSON, or set a cookie. */
export interface HttpCall<R extends Route = Route> extends Call<R> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Where an answer was sent by hand, `sent` is returned instead of it. */
export const sent = Symbol("sent");

export type HttpServe<R extends Route> = (
  call: HttpCall<R>,
) => Promise<z.input<R["answer"]> | AcceptedOf<R> | Bytes | typeof sent>;

type AcceptedOf<R extends Route> = R extends { accepted: infer A extends z.ZodType } ? z.input<A> : never;

export type HttpServeAll<T extends RouteTable> = {
  readonly [Group in keyof T]: { readonly [Name in keyof T[Group]]: HttpServe<T[Group][Name]> };
};

/** The queue that the short paths mean. */
const SHORT_QUEUE = "nas-sync";

export interface MountOptions {
  /** Checks every answer against its schema: for tests, which then fail where a shape is wrong. */
  readonly checkAnswers: boolean;
}

/** Mounts every route of a table. There is no other way to mount one: `routes-of-the-table.ts` refuses it. */
export function mountAll<T extends RouteTable>(
  app: FastifyInstance,
  table: T,
  handlers: HttpServeAll<T>,
  options: MountOptions,
): void {
  for (const [group, routes] of Object.entries(table)) {
    for (const [name, route] of Object.entries(routes)) {
      const serve = (handlers[group] as Record<string, HttpServe<Route>>)[name] as HttpServe<Route>;
      mount(app, `${group}.${name}`, route, route.path, serve, options);
      if (route.shortPath) mount(app, `${group}.${name}.short`, route, route.shortPath, serve, options);
    }
  }
}

function mount(
  app: FastifyInstance,
  id: string,
  route: Route,
  url: string,
  serve: HttpServe<Route>,
  { checkAnswers }: MountOptions,
): void {
  app.route({
    method: route.method,
    url,
    config: { route, operationId: id },
    handler: async (request, reply) => {
      const language = languageOfRequest(request);
      const given =
        url === route.shortPath ? { queue: SHORT_QUEUE, ...(request.params as object) } : request.params;
      refuseUnknownShape(request, route);
      const call: HttpCall = {
        params: checkPart(route.params, given, "path", language),
        query: checkPart(route.query, request.query, "query", language),
        body: route.body && checkPart(route.body, request.body ?? undefined, "body", language),
        principal: request.principal,
        language,
        traceId: request.id,
        signal: callerGone(reply),
        idempotencyKey: headerOf(request, "idempotency-key"),
        parts: () => partsOf(request, route, language),
        request,
        reply,
      } as HttpCall;
      reply.code(route.status ?? 200);
      const answer = await serve(call);
      if (answer === sent) return reply;
      if (answer instanceof Bytes) return sendBytes(request, reply, answer);
      const shape = reply.statusCode === 202 ? (route.accepted ?? route.answer) : route.answer;
      if (checkAnswers && !route.media) shape.parse(answer);
      return reply.send(answer);
    },
  });
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
