import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { problemOf } from "@andon/contract";
import { validationFailed, withFields } from "./checked-request.ts";
import { WITHOUT_ROUTE } from "./security-headers.ts";

/** What cannot be read as HTTP says no language either. */
const language = "ko";

/** What cannot be read as HTTP never reaches a route; it is refused in the same shape all the same. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = {
    en: `it is no valid HTTP request (${error.code})`,
    ko: `올바른 HTTP 요청이 아닙니다(${error.code})`,
  };
  const refusal = validationFailed([{ in: "request", field: "", message }]);
  const traceId = randomBytes(16).toString("hex");
  const problem = withFields(problemOf(refusal, { instance: "", traceId, language }), refusal, language);
  const body = JSON.stringify(problem);
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      "content-type: application/problem+json; charset=utf-8",
      `content-language: ${language}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-trace-id: ${traceId}`,
      ...Object.entries(WITHOUT_ROUTE).map(([name, value]) => `${name}: ${value}`),
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
