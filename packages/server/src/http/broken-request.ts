import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { AndonError, problemOf } from "@andon/contract";

/** What cannot be read as HTTP never reaches a route; it is refused in the same shape all the same. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new AndonError("VALIDATION_FAILED", {
    problem: `it is no valid HTTP request (${error.code})`,
  });
  const traceId = randomBytes(16).toString("hex");
  const body = JSON.stringify({
    ...problemOf(refusal, { instance: "", traceId, language: "ko" }),
    details: [],
  });
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      "content-type: application/problem+json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-trace-id: ${traceId}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
