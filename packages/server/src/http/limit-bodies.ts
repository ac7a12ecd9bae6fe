import { AndonError } from "@andon/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BodiesInFlight } from "./bodies-in-flight.ts";
import { closeWithoutReading, readAndDrop } from "./close-unread.ts";
import { NOBODY } from "./guard.ts";
import { isNdjson } from "./streamed-items.ts";

const KB = 1024;
const MB = 1024 * KB;

/** Most bodies stay in memory until their requests are answered. */
const OF_CALLERS = { perCaller: 32 * MB, inAll: 128 * MB };
/** While a key is looked up, the caller is unknown: the address counts. 256 uploads may begin at once from one address. */
const OF_ADDRESSES = { perCaller: 20 * MB, inAll: 24 * MB };

/** The most bytes of a body that wait for a reader before the connection is paused. */
export const UNREAD_BYTES = 16 * KB;
/** One more read can add 64 KB. */
const LOOKUP_BYTES = UNREAD_BYTES + 64 * KB;
/** The buffers of an upload on its way to a file: 1,000 stalled uploads took 154 MB. */
const UPLOAD_BYTES = 128 * KB;
/** A stream of items holds a chunk, a line and a batch of items in memory. */
const ITEMS_BYTES = MB;

declare module "fastify" {
  interface FastifyRequest {
    /** Ends the count of this request's body; undefined if the body is not counted. */
    giveBackBody: (() => void) | undefined;
  }
}

/**
 * Limits the memory for bodies before and after the guard, and does not read a body that has no reader. Before the guard only the
 * first chunk of a body is in memory and counts for the sender's address; after it, what the route reads counts for the caller.
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
      // A browser does not show an answer before it has sent the whole upload.
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

/** Infinity for a chunked body, whose length is unknown. */
function lengthOf({ headers }: FastifyRequest): number {
  return Number(headers["content-length"] ?? Number.POSITIVE_INFINITY);
}

/** Uploads and streams of items are never held in memory as a whole. */
function isStreamed(request: FastifyRequest): boolean {
  return isUpload(request) || isNdjson(request);
}

function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.route?.takes === "multipart" && !isJson(headers["content-type"]);
}

function isJson(contentType = ""): boolean {
  return /^\s*application\/json\b/i.test(contentType);
}

/** Whether the body has not been read and has not fully arrived when the answer is sent. */
function isUnread(request: FastifyRequest): boolean {
  const { raw } = request;
  return hasBody(request) && !raw.complete && raw.readableFlowing === null;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A key and its sessions are one caller. An unknown caller counts by address. */
function callerOf({ principal, ip }: FastifyRequest): string {
  return principal.keyId ?? (principal.actor === NOBODY.actor ? `address:${ip}` : principal.actor);
}
