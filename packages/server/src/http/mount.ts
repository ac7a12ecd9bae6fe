import { Accepted, Bytes, type Call } from "@andon/app";
import type { Route, RouteTable } from "@andon/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { sendBytes } from "./bytes.ts";
import { callerGone } from "./caller-gone.ts";
import { checkPart, refuseUnknownShape } from "./checked-request.ts";
import { languageOfRequest } from "./language.ts";
import { pathsOfRoute, type QueueAliases, type RoutePath } from "./route-paths.ts";
import { isNdjson, itemsOf } from "./streamed-items.ts";
import { partsOf } from "./uploads.ts";

/** A call with its HTTP request and reply, for the few routes that do not answer JSON or that set a cookie. */
export interface HttpCall<R extends Route = Route> extends Call<R> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A handler that has sent its answer itself returns `sent`. */
export const sent = Symbol("sent");

export type HttpServe<R extends Route> = (
  call: HttpCall<R>,
) => Promise<z.input<R["answer"]> | AcceptedOf<R> | Accepted | Bytes | typeof sent>;

type AcceptedOf<R extends Route> = R extends { accepted: infer A extends z.ZodType } ? z.input<A> : never;

export type HttpServeAll<T extends RouteTable> = {
  readonly [Group in keyof T]: { readonly [Name in keyof T[Group]]: HttpServe<T[Group][Name]> };
};

export interface MountOptions {
  /** Checks every answer against its schema. For tests, which then fail on a wrong shape. */
  readonly checkAnswers: boolean;
  readonly aliases: QueueAliases;
}

/** Mounts every route of a table. `routes-of-the-table.ts` refuses any other route. */
export function mountAll<T extends RouteTable>(
  app: FastifyInstance,
  table: T,
  handlers: HttpServeAll<T>,
  options: MountOptions,
): void {
  for (const [group, routes] of Object.entries(table)) {
    for (const [name, route] of Object.entries(routes)) {
      const serve = (handlers[group] as Record<string, HttpServe<Route>>)[name] as HttpServe<Route>;
      for (const path of pathsOfRoute(route, options.aliases))
        mount(app, `${group}.${name}${path.suffix}`, route, path, serve, options);
    }
  }
}

function mount(
  app: FastifyInstance,
  id: string,
  route: Route,
  { url, queue }: RoutePath,
  serve: HttpServe<Route>,
  { checkAnswers }: MountOptions,
): void {
  app.route({
    method: route.method,
    url,
    ...(route.largestBody === undefined ? {} : { bodyLimit: route.largestBody }),
    config: { route, operationId: id },
    handler: async (request, reply) => {
      const language = languageOfRequest(request);
      const given = queue === undefined ? request.params : { queue, ...(request.params as object) };
      refuseUnknownShape(request, route);
      const call: HttpCall = {
        params: checkPart(route.params, given, "path", language),
        query: checkPart(route.query, request.query, "query", language),
        body:
          route.body && !isReadByHandler(request, route)
            ? checkPart(route.body, request.body ?? undefined, "body", language)
            : undefined,
        principal: request.principal,
        language,
        traceId: request.id,
        signal: callerGone(reply),
        idempotencyKey: headerOf(request, "idempotency-key"),
        parts: () => partsOf(request, route, language),
        items: () => itemsOf(request, reply, route, language),
        request,
        reply,
      } as HttpCall;
      reply.code(route.status ?? 200);
      const served = await serve(call);
      if (served instanceof Accepted) reply.code(202);
      const answer = served instanceof Accepted ? served.answer : served;
      if (answer === sent) return reply;
      if (answer instanceof Bytes) return sendBytes(request, reply, answer);
      const shape = reply.statusCode === 202 ? (route.accepted ?? route.answer) : route.answer;
      if (checkAnswers && !route.media) shape.parse(answer);
      return reply.send(answer);
    },
  });
}

/** Whether the handler reads the body as it arrives: a stream of items, or an upload in parts. */
function isReadByHandler(request: FastifyRequest, { takes }: Route): boolean {
  if (takes === "items") return isNdjson(request);
  return takes === "multipart" && request.isMultipart();
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
