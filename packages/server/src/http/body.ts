import { AndonError } from "@andon/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { validationFailed } from "./checked-request.ts";
import { costOfJson } from "./json-cost.ts";
import { limitBodies } from "./limit-bodies.ts";

/** Accepts only JSON bodies. An optional body may be empty, even if the content type says JSON. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  limitBodies(app);
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (!isPlainUtf8(request)) return done(new AndonError("MEDIA_TYPE", { allowed: PLAIN_JSON }), undefined);
    if (request.routeOptions.config.route?.takes === "text") return done(null, body);
    if (body.length === 0) return done(null, undefined);
    const problem = costOfJson(body as string);
    if (problem) done(validationFailed([{ in: "body", field: "", message: problem }]), undefined);
    else void parse(request, body as string, done);
  });
}

const PLAIN_JSON = "application/json; charset=utf-8";

/** Refuses other encodings: their bytes would be misread, and stored like that. */
function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  const encoding = headers["content-encoding"] ?? "identity";
  return /^(utf-?8|us-ascii)$/i.test(charset) && encoding.toLowerCase() === "identity";
}
