import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { AndonError, type Language, problemOf } from "@andon/contract";
import { validationFailed, withFields } from "./checked-request.ts";
import { WITHOUT_ROUTE } from "./security-headers.ts";

/** A request that cannot be parsed has no language. */
const UNKNOWN_LANGUAGE = "ko";
/** How long sending the refusal may take before the connection is cut. */
const LONGEST_GOODBYE_MS = 1_000;

/** Refuses a request that cannot be parsed as HTTP, and so never reaches a route, with the usual error body. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else refuseOnSocket(socket, refusalOf(error));
}

function refusalOf({ code }: NodeJS.ErrnoException): AndonError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new AndonError("REQUEST_TIMEOUT");
  const message = {
    en: `it is no valid HTTP request (${code})`,
    ko: `올바른 HTTP 요청이 아닙니다(${code})`,
  };
  return validationFailed([{ in: "request", field: "", message }]);
}

/** Writes the answer directly to the socket, because no reply object exists, and closes the connection. */
export function refuseOnSocket(
  socket: Socket,
  refusal: AndonError,
  language: Language = UNKNOWN_LANGUAGE,
): void {
  const traceId = randomBytes(16).toString("hex");
  const problem = withFields(problemOf(refusal, { instance: "", traceId, language }), refusal, language);
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
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
  // A client that does not close its side would keep the connection open.
  const cut = setTimeout(() => socket.destroy(), LONGEST_GOODBYE_MS);
  socket.once("close", () => clearTimeout(cut));
}
