import { type Span, SpanStatusCode } from "@opentelemetry/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "./metrics.ts";
import { remoteParentOf } from "./trace-id.ts";
import { NO_TRACES, type Traces } from "./traces.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The span of the request, until the answer. */
    span: Span | undefined;
  }
}

/** Machines call these every few seconds: their lines would hide the others. */
const QUIET = new Set(["/healthz", "/readyz", "/metrics"]);
/** The status that nginx uses for a caller that closed the connection before the answer. */
const CALLER_GONE = 499;

/** Writes one log line, one metric and one span per request. The request's id is its trace id, which the answer contains. */
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
  // A body arrives in the async context of its socket, so later steps must be moved back into the context of the span.
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

/** The pattern of the route, so that there is one value per route and not per id. */
function patternOf(request: FastifyRequest): string {
  return request.is404 ? "unmatched" : (request.routeOptions.url ?? "unmatched");
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? request.url;
}
