import { AndonError, isAndonError, problemOf } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { withFields } from "./checked-request.ts";
import { isRoom } from "./console.ts";
import { languageOfRequest } from "./language.ts";

/** Every error leaves as `application/problem+json`; what is ours to mend is logged, and told nobody. */
export function answerWithProblems(app: FastifyInstance, store: Pick<Store, "isUnavailable">): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const known = knownError(error, app, store);
    if (known.status >= 500) request.log.error({ err: error }, "request failed");
    return sendProblem(request, reply, known);
  });
  app.setNotFoundHandler((request, reply) => {
    if (app.consolePage && isRoom(request)) return app.consolePage(reply);
    const path = request.url.split("?")[0];
    return sendProblem(request, reply, new AndonError("NOT_FOUND", { method: request.method, path }));
  });
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AndonError): FastifyReply {
  const language = languageOfRequest(request);
  const at = { instance: request.url, traceId: request.id, language };
  const problem = withFields(problemOf(error, at), error);
  if (error.status === 401) reply.header("www-authenticate", "Bearer");
  if (error.status === 416) reply.header("content-range", `bytes */${error.details.size}`);
  if (typeof error.details.seconds === "number") reply.header("retry-after", error.details.seconds);
  return reply
    .code(error.status)
    .header("content-language", language)
    .type("application/problem+json; charset=utf-8")
    .send(JSON.stringify(problem));
}

/** Fastify's own refusals of a request, in our words. */
const FASTIFY_ERRORS: Record<string, (app: FastifyInstance, error: Error) => AndonError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (app) =>
    new AndonError("BODY_TOO_LARGE", { most: app.initialConfig.bodyLimit }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AndonError("MEDIA_TYPE", { allowed: "application/json" }),
};

function knownError(
  error: FastifyError | Error,
  app: FastifyInstance,
  store: Pick<Store, "isUnavailable">,
): AndonError {
  if (isAndonError(error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const ours = FASTIFY_ERRORS[code];
  if (ours) return ours(app, error);
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) {
    return new AndonError("VALIDATION_FAILED", { problem: error.message });
  }
  if (store.isUnavailable(error)) {
    return new AndonError("STORE_UNAVAILABLE", { problem: error.message }, { cause: error });
  }
  return new AndonError("INTERNAL", {}, { cause: error });
}
