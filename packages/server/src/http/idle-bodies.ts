import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AndonError, languageOf } from "@andon/contract";
import { refuseOnSocket } from "./broken-request.ts";

interface OpenBody {
  /** Kept here: a request whose reader gives up lets go of it. */
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** How many bytes the connection had brought when it was looked at last, and when that number last changed. */
  read: number;
  at: number;
}

/** Who reads a body as it comes, and answers itself where the rest does not come. */
const readers = new WeakMap<IncomingMessage, (refusal: AndonError) => void>();

/** Calls the reader of a body that is idle for too long, who can then answer with what is done so far. */
export function onIdleBody(request: IncomingMessage, refuse: (refusal: AndonError) => void): void {
  readers.set(request, refuse);
}

const [SOONEST_LOOK_MS, LATEST_LOOK_MS] = [20, 1_000];

/**
 * Ends requests whose body stops before its end: no byte for `timeoutMs`. One timer looks at all of them, and only while there
 * are any. A body that we ourselves take in slowly is not its sender's fault, and is left alone.
 */
export function endIdleBodies(server: Server, timeoutMs: number): void {
  const open = new Map<IncomingMessage, OpenBody>();
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    const now = performance.now();
    for (const [request, body] of open) {
      const { socket } = body;
      if (request.complete || socket.destroyed) open.delete(request);
      else if (socket.bytesRead !== body.read || isFull(request)) {
        body.read = socket.bytesRead;
        body.at = now;
      } else if (now - body.at >= timeoutMs) {
        open.delete(request);
        end(request, body);
      }
    }
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || !announcesBody(request)) return;
    const { socket } = request;
    open.set(request, { socket, response, read: socket.bytesRead, at: performance.now() });
    timer ??= setInterval(look, Math.min(LATEST_LOOK_MS, Math.max(SOONEST_LOOK_MS, timeoutMs / 10))).unref();
  });
  server.once("close", () => clearInterval(timer));
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Whether more bytes wait here than are asked for. */
function isFull(request: IncomingMessage): boolean {
  return !request.destroyed && request.readableLength >= request.readableHighWaterMark;
}

function end(request: IncomingMessage, { socket, response }: OpenBody): void {
  const refusal = new AndonError("REQUEST_TIMEOUT");
  // An answer that has begun, or an earlier one on the same connection, cannot be followed by a refusal.
  if (response.headersSent || response.socket !== socket || !socket.writable) socket.destroy();
  else if (readers.has(request)) readers.get(request)?.(refusal);
  else refuseOnSocket(socket, refusal, languageOf(request.headers["accept-language"]));
}
