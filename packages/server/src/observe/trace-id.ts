import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The remote parent of a request, from its `traceparent` header (W3C Trace Context). */
export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

export function isTraceId(text: string | null | undefined): text is string {
  return typeof text === "string" && TRACE_ID.test(text);
}

export function remoteParentOf(headers: IncomingHttpHeaders): RemoteParent | undefined {
  const { traceparent } = headers;
  const match = typeof traceparent === "string" ? TRACEPARENT.exec(traceparent.trim()) : null;
  if (!match) return undefined;
  const [, version, traceId = "", spanId = "", flags = "00", more] = match;
  const isKnown = version === "00" ? more === undefined : version !== "ff";
  if (!isKnown || !isTraceId(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1 };
}

/** The trace id of a request: the caller's, or a new one. It is also the id of the request. */
export function traceIdOf(headers: IncomingHttpHeaders): string {
  return remoteParentOf(headers)?.traceId ?? newTraceId();
}

/** Made from a UUID, because Node caches random bytes for many UUIDs. */
export function newTraceId(): string {
  return randomUUID().replaceAll("-", "");
}
