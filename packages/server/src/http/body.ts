import { AndonError } from "@andon/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { BodiesInFlight } from "./bodies-in-flight.ts";
import { validationFailed } from "./checked-request.ts";
import { closeWithoutReading, readAndDrop } from "./close-unread.ts";
import { NOBODY } from "./guard.ts";
import { costOfJson } from "./json-cost.ts";
import { isNdjson } from "./streamed-items.ts";

/** Bodies are JSON and nothing else. One that is optional may be absent, also where the caller says that it would be JSON. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const bodies = new BodiesInFlight();
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload);
    const giveBack = bodies.take(callerOf(request), memoryFor(request));
    if (!giveBack) return done(new AndonError("BODIES_IN_FLIGHT", { seconds: 1 }));
    reply.raw.once("close", giveBack);
    done(null, payload);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (isUnread(request)) {
      // A browser shows no answer before it has sent its upload.
      if (isStreamed(request)) readAndDrop(request);
      else closeWithoutReading(request, reply);
    }
    done(null, payload);
  });
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

/** What the buffers of a stream take on its way to a file: 1,000 uploads that stood still took 154 MB. */
const STREAM_BYTES = 128 * 1024;

function memoryFor(request: FastifyRequest): number {
  const { bodyLimit } = request.routeOptions;
  if (isStreamed(request)) return STREAM_BYTES;
  return Math.min(Number(request.headers["content-length"] ?? bodyLimit), bodyLimit);
}

/** An upload is never held in memory as a whole, and neither is a stream of items. */
function isStreamed(request: FastifyRequest): boolean {
  const { takes } = request.routeOptions.config.route ?? {};
  return (takes === "multipart" && !isJson(request.headers["content-type"])) || isNdjson(request);
}

/** Whether the answer is there before anybody asked for the body, and the body has not come to its end. */
function isUnread(request: FastifyRequest): boolean {
  const { raw } = request;
  return hasBody(request) && !raw.complete && raw.readableFlowing === null;
}

function isJson(contentType = ""): boolean {
  return /^\s*application\/json\b/i.test(contentType);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A key and the sessions made from it are one caller; where nobody is known, the address is. */
function callerOf({ principal, ip }: FastifyRequest): string {
  return principal.keyId ?? (principal.actor === NOBODY.actor ? `address:${ip}` : principal.actor);
}

const PLAIN_JSON = "application/json; charset=utf-8";

/** Bytes that are read as something else than they were sent as would be stored so. */
function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  const encoding = headers["content-encoding"] ?? "identity";
  return /^(utf-?8|us-ascii)$/i.test(charset) && encoding.toLowerCase() === "identity";
}
