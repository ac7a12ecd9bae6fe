import type { EntryKind } from "../storage.ts";

export interface ListingLine {
  readonly name: string;
  readonly kind: EntryKind;
  readonly size: number;
  readonly modifiedAt: number;
}

/** smbclient pads a shorter name with spaces. */
const NAME_BYTES = 30;

/**
 * `  <name> <attributes> <size>  <time>`: seven characters for the attributes, at least eight for the size. A name can
 * look like any other field, so a line is read from its end.
 */
const ENTRY =
  /^ {2}(.*)([A-Za-z ]{7}) ( {7}\d| {6}\d{2}| {5}\d{3}| {4}\d{4}| {3}\d{5}| {2}\d{6}| \d{7}|\d{8,}) {2}(\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

const SPACE = /^\t\t(\d+) blocks of size (\d+)\. (\d+) blocks available$/;

export function listingLine(line: string): ListingLine | undefined {
  const [, field = "", attributes = "", size, time = ""] = ENTRY.exec(line) ?? [];
  if (size === undefined) return undefined;
  const name = Buffer.byteLength(field) > NAME_BYTES ? field : field.replace(/ +$/, "");
  const kind = kindOf(attributes);
  return { name, kind, size: kind === "folder" ? 0 : Number(size), modifiedAt: Date.parse(`${time} UTC`) };
}

/** The free bytes, from the last line of a listing. */
export function freeSpaceIn(lines: readonly string[]): number | undefined {
  const [, , size, free] = lines.map((line) => SPACE.exec(line)).find((found) => found !== null) ?? [];
  return size === undefined || free === undefined ? undefined : Number(size) * Number(free);
}

/** Whether a line belongs to a listing and is not an error. */
export function isOfListing(line: string): boolean {
  return line === "" || SPACE.test(line) || ENTRY.test(line);
}

/** `r` is a link or another reparse point, `d` a device. */
function kindOf(attributes: string): EntryKind {
  if (/[rd]/.test(attributes)) return "other";
  return attributes.includes("D") ? "folder" : "file";
}
