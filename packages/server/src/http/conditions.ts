import type { IncomingHttpHeaders } from "node:http";

/*
 * The conditions of a request for bytes (RFC 9110, 13.1). Our tags are strong, and nothing has a date of its own: conditions
 * by date are no conditions here, and a range by date never fits.
 */

/** Whether the caller wants these bytes only as they were, and they are others now. */
export function isRefusedBy(headers: IncomingHttpHeaders, tag: string): boolean {
  const wanted = headers["if-match"];
  return wanted !== undefined && !isAny(wanted) && !tagsIn(wanted).some((given) => given === `"${tag}"`);
}

/** Whether the caller has these bytes already. A weak tag counts: it is enough for not sending them again. */
export function isKnownBy(headers: IncomingHttpHeaders, tag: string): boolean {
  const known = headers["if-none-match"];
  if (known === undefined) return false;
  return isAny(known) || tagsIn(known).some((given) => given.replace(/^W\//, "") === `"${tag}"`);
}

/** The range that is asked for, if it is one of these bytes: what the caller has of others, a part of these cannot continue. */
export function rangeFor({ range, "if-range": only }: IncomingHttpHeaders, tag: string): string | undefined {
  return only === undefined || only === `"${tag}"` ? range : undefined;
}

function isAny(header: string): boolean {
  return header.trim() === "*";
}

/** A comma may stand inside a tag, so that they are not simply split. */
function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
