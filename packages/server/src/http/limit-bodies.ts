import { AndonError } from "@andon/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BodiesInFlight } from "./bodies-in-flight.ts";
import { closeWithoutReading, readAndDrop } from "./close-unread.ts";
import { NOBODY } from "./guard.ts";
import { isNdjson } from "./streamed-items.ts";

const KB = 1024;
const MB = 1024 * KB;

/** Most bodies are in memory until their requests are answered. */
const OF_CALLERS = { perCaller: 32 * MB, inAll: 128 * MB };
/** While a caller's key is looked up, nobody knows whose body it is. 256 uploads may begin at the same time from one address. */
const OF_ADDRESSES = { perCaller: 20 * MB, inAll: 24 * MB };

/** How many bytes of a request's body may wait for a reader before its connection is not read any more. */
export const UNREAD_BYTES = 16 * KB;
/** The last read may bring 64 KB over what may wait. */
const LOOKUP_BYTES = UNREAD_BYTES + 64 * KB;
/** What the buffers of an upload take on its way to a file: 1,000 uploads that stood still took 154 MB. */
const UPLOAD_BYTES = 128 * KB;
/** A stream of items has a piece, a line and a batch of items in memory. */
const ITEMS_BYTES = MB;

declare module "fastify" {
  interface FastifyRequest {
    /** Ends the count of this request's body; undefined where it is not counted. */
    giveBackBody: (() => void) | undefined;
  }
}

/**
 * Bounds the memory that bodies take, before the guard and behind it, and leaves a body unread that nobody wants. Before the guard only
 * the first piece of a body can be in memory, by the address that sent it; behind it what its route reads of it, by its caller.
 */
export function limitBodies(app: FastifyInstance): void {
  const unknown = new BodiesInFlight(OF_ADDRESSES);
  const known = new BodiesInFlight(OF_CALLERS);
  const count = (
    bodies: BodiesInFlight,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: string,
    size: number,
  ) => {
    request.giveBackBody?.();
    const giveBack = bodies.take(caller, size);
    request.giveBackBody = giveBack;
    if (!giveBack) return new AndonError("BODIES_IN_FLIGHT", { seconds: 1 });
    reply.raw.once("close", giveBack);
    return undefined;
  };
  app.decorateRequest("giveBackBody", undefined);
  app.addHook("onRequest", (request, reply, done) => {
    if (!hasBody(request)) return done();
    done(count(unknown, request, reply, request.ip, Math.min(lengthOf(request), LOOKUP_BYTES)));
  });
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload);
    done(count(known, request, reply, callerOf(request), memoryFor(request)) ?? null, payload);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (isUnread(request)) {
      // A browser shows no answer before it has sent its upload.
      if (isStreamed(request)) readAndDrop(request);
      else {
        closeWithoutReading(request, reply);
        request.giveBackBody?.();
      }
    }
    done(null, payload);
  });
}

function memoryFor(request: FastifyRequest): number {
  if (isNdjson(request)) return ITEMS_BYTES;
  return isUpload(request) ? UPLOAD_BYTES : Math.min(lengthOf(request), request.routeOptions.bodyLimit);
}

/** Unknown where the body comes in chunks. */
function lengthOf({ headers }: FastifyRequest): number {
  return Number(headers["content-length"] ?? Number.POSITIVE_INFINITY);
}

/** An upload is never held in memory as a whole, and neither is a stream of items. */
function isStreamed(request: FastifyRequest): boolean {
  return isUpload(request) || isNdjson(request);
}

function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.route?.takes === "multipart" && !isJson(headers["content-type"]);
}

function isJson(contentType = ""): boolean {
  return /^\s*application\/json\b/i.test(contentType);
}

/** Whether the answer is there before anybody asked for the body, and the body has not come to its end. */
function isUnread(request: FastifyRequest): boolean {
  const { raw } = request;
  return hasBody(request) && !raw.complete && raw.readableFlowing === null;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A key and the sessions made from it are one caller; where nobody is known, the address is. */
function callerOf({ principal, ip }: FastifyRequest): string {
  return principal.keyId ?? (principal.actor === NOBODY.actor ? `address:${ip}` : principal.actor);
}
