import { type Span, SpanStatusCode } from "@opentelemetry/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "./metrics.ts";
import { remoteParentOf } from "./trace-id.ts";
import { NO_TRACES, type Traces } from "./traces.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Until its answer. */
    span: Span | undefined;
  }
}

/** Asked every few seconds by machines: their lines would bury the others. */
const QUIET = new Set(["/healthz", "/readyz", "/metrics"]);
/** What other servers call a request whose caller went away before the answer. */
const CALLER_GONE = 499;

/** One line, one figure and one span per request. Its id is its trace id, and the answer carries it. */
export function observeRequests(app: FastifyInstance, metrics: Metrics, traces: Traces = NO_TRACES): void {
  app.decorateRequest("span", undefined);

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-trace-id", request.id);
    const route = patternOf(request);
    const attributes = {
      "http.request.method": request.method,
      "http.route": route,
      "url.path": pathOf(request),
    };
    const name = `${request.method} ${route}`;
    const span = traces.request(name, request.id, remoteParentOf(request.headers), attributes);
    request.span = span;
    traces.within(span, done);
  });
  // A body arrives in the context of its socket, so that what comes after it has to be led back.
  app.addHook("preValidation", (request, _reply, done) => {
    const { span } = request;
    if (span) traces.within(span, done);
    else done();
  });
  app.addHook("onResponse", async (request, reply) => end(request, reply, reply.statusCode));
  app.addHook("onRequestAbort", async (request) => end(request, undefined, CALLER_GONE));

  function end(request: FastifyRequest, reply: FastifyReply | undefined, status: number): void {
    const { span } = request;
    if (!span) return;
    request.span = undefined;
    span.setAttribute("http.response.status_code", status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    const ms = reply?.elapsedTime ?? 0;
    const route = patternOf(request);
    const isStream = request.routeOptions.config.route?.media === "text/event-stream";
    metrics.countRequest(route, request.method, status, isStream ? undefined : ms / 1_000);
    const facts = {
      method: request.method,
      route,
      path: pathOf(request),
      status,
      ms: Math.round(ms * 10) / 10,
      actor: request.principal?.actor ?? null,
      traceId: request.id,
    };
    if (QUIET.has(route)) app.log.debug(facts, "request");
    else app.log.info(facts, "request");
  }
}

/** The pattern of the route, so that there are as many of them as routes, not as many as ids. */
function patternOf(request: FastifyRequest): string {
  return request.is404 ? "unmatched" : (request.routeOptions.url ?? "unmatched");
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? request.url;
}
