import type { IncomingHttpHeaders } from "node:http";

/*
 * The conditions of a request for bytes (RFC 9110, 13.1). Our tags are strong, and bytes have no modification date: conditions
 * by date are ignored, and an `If-Range` with a date never matches.
 */

/** Whether `If-Match` requires other bytes than the current ones. */
export function isRefusedBy(headers: IncomingHttpHeaders, tag: string): boolean {
  const wanted = headers["if-match"];
  return wanted !== undefined && !isAny(wanted) && !tagsIn(wanted).some((given) => given === `"${tag}"`);
}

/** Whether `If-None-Match` has these bytes. A weak tag counts, because it is enough not to send them again. */
export function isKnownBy(headers: IncomingHttpHeaders, tag: string): boolean {
  const known = headers["if-none-match"];
  if (known === undefined) return false;
  return isAny(known) || tagsIn(known).some((given) => given.replace(/^W\//, "") === `"${tag}"`);
}

/** The requested range. Undefined if `If-Range` names other bytes, which a part of these bytes cannot continue. */
export function rangeFor({ range, "if-range": only }: IncomingHttpHeaders, tag: string): string | undefined {
  return only === undefined || only === `"${tag}"` ? range : undefined;
}

function isAny(header: string): boolean {
  return header.trim() === "*";
}

/** Tags may contain commas, so the header cannot be split at commas. */
function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
