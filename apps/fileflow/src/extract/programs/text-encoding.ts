import { Cp949Decoder } from "./cp949-decoder.ts";

/** `confidence` is 1 if the bytes themselves determine the encoding. */
export interface Encoding {
  readonly label: string;
  readonly confidence: number;
}

const BYTE_ORDER_MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** Below this share of common syllables, consecutive bytes above 0x80 are more likely accented letters. */
const LEAST_HANGUL_SHARE = 0.5;
const LAST_RESORT: Encoding = { label: "windows-1252", confidence: 0.5 };

interface ChunkDecoder {
  decode(chunk?: Uint8Array, options?: { stream?: boolean }): string;
}

/** Throws if the bytes are not valid in the encoding. */
export function decoderOf(label: string): ChunkDecoder {
  return label === "cp949" ? new Cp949Decoder() : new TextDecoder(label, { fatal: true });
}

/** A byte order mark shows that the file is text, and its encoding. */
export function hasByteOrderMark(head: Uint8Array): boolean {
  return markOf(head) !== undefined;
}

/** The encodings in which the beginning of a file is valid text, the most likely first; empty if it is not text. */
export function possibleEncodings(head: Uint8Array): Encoding[] {
  const mark = markOf(head);
  const candidates = mark ? [{ label: mark, confidence: 1 }] : unmarkedCandidates(head);
  return candidates.filter(({ label }) => isText(decode(head, label)));
}

/** The beginning of a file as text; undefined if it is not text. */
export function decodeHead(head: Uint8Array): { text: string; encoding: Encoding } | undefined {
  const [encoding] = possibleEncodings(head);
  const text = encoding && decode(head, encoding.label);
  return text === undefined ? undefined : { text, encoding: encoding as Encoding };
}

function markOf(head: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))?.[1];
}

function unmarkedCandidates(head: Uint8Array): Encoding[] {
  const utf16 = utf16WithoutMark(head);
  if (utf16) return [utf16];
  const korean = commonHangulShare(head);
  const cp949 = { label: "cp949", confidence: Number((0.5 + korean / 2).toFixed(2)) };
  return [{ label: "utf-8", confidence: 1 }, ...(korean >= LEAST_HANGUL_SHARE ? [cp949] : []), LAST_RESORT];
}

/** In UTF-16, every second byte of English text is zero. */
function utf16WithoutMark(head: Uint8Array): Encoding | undefined {
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 8;
  if (odd > many && even === 0) return { label: "utf-16le", confidence: 0.8 };
  if (even > many && odd === 0) return { label: "utf-16be", confidence: 0.8 };
  return undefined;
}

/** The share of the byte pairs beyond ASCII that are syllables of KS X 1001, which contains all common ones. */
function commonHangulShare(head: Uint8Array): number {
  let pairs = 0;
  let hangul = 0;
  for (let at = 0; at + 1 < head.length; at++) {
    const lead = head[at] as number;
    if (lead < 0x80) continue;
    const trail = head[++at] as number;
    pairs++;
    if (lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) hangul++;
  }
  return pairs === 0 ? 0 : hangul / pairs;
}

function decode(head: Uint8Array, label: string): string | undefined {
  try {
    // Decoded as a stream, so that a character cut at the end of the head is not an error.
    return decoderOf(label).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

/** Text contains no NUL and hardly any control characters other than tabs, line and page ends and escape sequences. */
function isText(text: string | undefined): boolean {
  if (text === undefined || text.includes("\0")) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells text from binary data
  const controls = text.match(/[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]/g)?.length ?? 0;
  return controls <= text.length / 200;
}
