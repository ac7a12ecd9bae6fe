import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import { DOCX } from "../damaged-docx.ts";
import { decodeHead, hasByteOrderMark } from "./text-encoding.ts";
import { isDocx } from "./zip-directory.ts";

const EMPTY = "application/x-empty";
const UNKNOWN = "application/octet-stream";
const MOST_CSV_LINES = 20;

/** Types whose signature is two letters, with which ordinary text can begin ("BM…"). */
const WEAK = ["image/bmp"];

/** The type of a file by its bytes, not by its name. */
export async function detectType(file: string, head: Uint8Array, size: number): Promise<string> {
  if (size === 0) return EMPTY;
  // UTF-16 with a byte order mark looks like the frame of an MP3.
  const found = hasByteOrderMark(head) ? undefined : await signatureOf(file, head, size);
  if (found === "application/zip") return (await isDocx(file)) ? DOCX : found;
  if (found && found !== "application/xml" && !WEAK.includes(found)) return found;
  const text = decodeHead(head)?.text;
  if (text === undefined) return found ?? UNKNOWN;
  return textType(text, head.length === size) ?? (found === "application/xml" ? found : "text/plain");
}

/** The beginning is enough, except for containers and for tags before the content. */
async function signatureOf(file: string, head: Uint8Array, size: number): Promise<string | undefined> {
  const found = (await fileTypeFromBuffer(head))?.mime;
  const isEnough = head.length === size || (found !== undefined && found !== "application/zip");
  return isEnough ? found : (await fileTypeFromFile(file))?.mime;
}

/** HTML, SVG, JSON or CSV. `isWhole`: `text` is the whole file. */
function textType(text: string, isWhole: boolean): string | undefined {
  const start = text.replace(/^\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)*/, "");
  if (/^(<!doctype svg[^>]*>\s*)?<svg[\s>]/i.test(start)) return "image/svg+xml";
  if (/^<(!doctype html|html|head|body)[\s>]/i.test(start)) return "text/html";
  if (isJson(text, isWhole)) return "application/json";
  return isCsv(text, isWhole) ? "text/csv" : undefined;
}

function isJson(text: string, isWhole: boolean): boolean {
  if (!/^\s*[[{]\s*(["[\]{}\d-]|true|false|null)/.test(text)) return false;
  if (!isWhole) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** True if there are at least two lines, all with the same number of separators. */
function isCsv(text: string, isWhole: boolean): boolean {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, "");
  const lines = unquoted.split(/\r?\n/);
  // The last line is empty or truncated.
  if (!isWhole || lines.at(-1) === "") lines.pop();
  if (lines.length < 2) return false;
  return [",", ";", "\t"].some((separator) => {
    const [first = 0, ...others] = lines.slice(0, MOST_CSV_LINES).map((line) => line.split(separator).length);
    return first > 1 && others.every((count) => count === first);
  });
}
