import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { AndonError, languageOf } from "@andon/contract";
import { refuseOnSocket } from "./broken-request.ts";

interface OpenBody {
  readonly response: ServerResponse;
  /** How many bytes the connection had brought when it was looked at last, and when that number last changed. */
  read: number;
  at: number;
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
      const { socket } = request;
      if (request.complete || socket.destroyed) open.delete(request);
      else if (socket.bytesRead !== body.read || isFull(request)) {
        body.read = socket.bytesRead;
        body.at = now;
      } else if (now - body.at >= timeoutMs) {
        open.delete(request);
        end(request, body.response);
      }
    }
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || !announcesBody(request)) return;
    open.set(request, { response, read: request.socket.bytesRead, at: performance.now() });
    timer ??= setInterval(look, Math.min(LATEST_LOOK_MS, Math.max(SOONEST_LOOK_MS, timeoutMs / 10))).unref();
  });
  server.once("close", () => clearInterval(timer));
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Whether more bytes wait here than are asked for. */
function isFull(request: IncomingMessage): boolean {
  return request.readableLength >= request.readableHighWaterMark;
}

function end({ socket, headers }: IncomingMessage, response: ServerResponse): void {
  // An answer that has begun, or an earlier one on the same connection, cannot be followed by a refusal.
  if (response.headersSent || response.socket !== socket || !socket.writable) socket.destroy();
  else refuseOnSocket(socket, new AndonError("REQUEST_TIMEOUT"), languageOf(headers["accept-language"]));
}
