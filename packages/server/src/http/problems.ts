import { AndonError, isAndonError, problemOf } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type FieldProblem, validationFailed, withFields } from "./checked-request.ts";
import { isRoom } from "./console.ts";
import { fittedProblem } from "./fitted-problem.ts";
import { languageOfRequest } from "./language.ts";
import { WITHOUT_ROUTE } from "./security-headers.ts";

/** The longest path parameter: the encoded key of a lane. */
export const LONGEST_PARAMETER = 1_200;

type StoreFaults = Pick<Store, "isUnavailable" | "hasNoRoom">;

/** Answers every error as `application/problem+json`. Errors of the server itself are logged and not shown to the caller. */
export function answerWithProblems(app: FastifyInstance, store: StoreFaults): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const known = refusalOf(error, request) ?? faultOf(error, store);
    if (known.status >= 500) request.log.error({ err: error }, "request failed");
    return sendProblem(request, reply, known);
  });
  app.setNotFoundHandler((request, reply) => {
    if (app.consolePage && isRoom(request)) return app.consolePage(reply);
    const path = request.url.split("?")[0];
    return sendProblem(request, reply, new AndonError("NOT_FOUND", { method: request.method, path }));
  });
}

/** Requests refused by the router reach no hook and no error handler, so this adds everything that those add. */
export function refuseBeforeRoutes(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ code: error.code, status: error.statusCode }, "request refused by the router");
  reply.headers({ ...WITHOUT_ROUTE, "x-trace-id": request.id });
  sendProblem(request, reply, refusalOf(error, request) ?? new AndonError("INTERNAL", {}, { cause: error }));
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AndonError): FastifyReply {
  const language = languageOfRequest(request);
  const at = { instance: request.url, traceId: request.id, language };
  const problem = withFields(problemOf(error, at), error, language);
  if (error.status === 401) reply.header("www-authenticate", "Bearer");
  if (error.status === 416) reply.header("content-range", `bytes */${error.details.size}`);
  if (typeof error.details.seconds === "number") reply.header("retry-after", error.details.seconds);
  return reply
    .code(error.status)
    .header("content-language", language)
    .type("application/problem+json; charset=utf-8")
    .send(fittedProblem(problem));
}

const notReadable = (part: FieldProblem["in"], en: string, ko: string) =>
  validationFailed([{ in: part, field: "", message: { en, ko } }]);

/** Our errors for Fastify's own refusals of a request. */
const FASTIFY_ERRORS: Record<string, (request: FastifyRequest) => AndonError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) =>
    new AndonError("BODY_TOO_LARGE", { most: routeOptions.bodyLimit }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AndonError("MEDIA_TYPE", { allowed: "application/json" }),
  FST_ERR_CTP_INVALID_JSON_BODY: () => notReadable("body", "it is no valid JSON", "올바른 JSON이 아닙니다"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    notReadable("body", "it is not as long as its Content-Length", "Content-Length와 길이가 다릅니다"),
  FST_ERR_BAD_URL: () =>
    notReadable("path", "it is not encoded as a URL is", "URL 인코딩이 올바르지 않습니다"),
  FST_ERR_MAX_PARAM_LENGTH: () => new AndonError("PATH_TOO_LONG", { most: LONGEST_PARAMETER }),
};

/** The refusal for an error that the request caused; undefined for any other error. */
function refusalOf(error: FastifyError | Error, request: FastifyRequest): AndonError | undefined {
  if (isAndonError(error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const ours = FASTIFY_ERRORS[code];
  if (ours) return ours(request);
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (status === undefined || status < 400 || status >= 500) return undefined;
  const named = code && ` (${code})`;
  return notReadable("request", `it cannot be read${named}`, `요청을 읽을 수 없습니다${named}`);
}

function faultOf(cause: Error, store: StoreFaults): AndonError {
  return store.isUnavailable(cause) || store.hasNoRoom(cause)
    ? new AndonError("STORE_UNAVAILABLE", { problem: cause.message }, { cause })
    : new AndonError("INTERNAL", {}, { cause });
}
