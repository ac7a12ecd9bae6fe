import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AndonError, languageOf } from "@andon/contract";
import { refuseOnSocket } from "./broken-request.ts";

interface OpenBody {
  /** Kept here, because a request whose reader stops releases its socket. */
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** The bytes that the connection had received at the last check, and when that number last changed. */
  read: number;
  at: number;
}

/** The readers of streamed bodies, which answer themselves if the rest does not arrive. */
const readers = new WeakMap<IncomingMessage, (refusal: AndonError) => void>();

/** Registers a reader to call when its body is idle for too long, so that it can answer with what is done so far. */
export function onIdleBody(request: IncomingMessage, refuse: (refusal: AndonError) => void): void {
  readers.set(request, refuse);
}

const [SOONEST_LOOK_MS, LATEST_LOOK_MS] = [20, 1_000];

/**
 * Ends requests whose body stops before its end: no byte for `timeoutMs`. One timer checks all open bodies, and only while
 * some are open. A body that this server itself reads slowly does not count as idle.
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

/** Whether the read buffer is full, so that this server is the slow side. */
function isFull(request: IncomingMessage): boolean {
  return !request.destroyed && request.readableLength >= request.readableHighWaterMark;
}

function end(request: IncomingMessage, { socket, response }: OpenBody): void {
  const refusal = new AndonError("REQUEST_TIMEOUT");
  // No refusal can follow an answer that has begun, or an earlier answer that is still being sent on the connection.
  if (response.headersSent || response.socket !== socket || !socket.writable) socket.destroy();
  else if (readers.has(request)) readers.get(request)?.(refusal);
  else refuseOnSocket(socket, refusal, languageOf(request.headers["accept-language"]));
}
