/**
 * A decoder for CP949, Windows' extension of EUC-KR. Node's TextDecoder supports `euc-kr` only in its strict form, with 2,350
 * of the 11,172 syllables. CP949 assigns the other 8,822 in Unicode order to byte pairs that EUC-KR leaves free, so they need
 * no table.
 */
export class Cp949Decoder {
  readonly #decoder = new TextDecoder("euc-kr", { fatal: true });
  #leftOver: number | undefined;

  /** Throws like a fatal TextDecoder. A byte pair that a chunk cuts in two is completed by the next chunk. */
  decode(chunk: Uint8Array = new Uint8Array(), { stream = false } = {}): string {
    const bytes =
      this.#leftOver === undefined ? chunk : Buffer.concat([Uint8Array.of(this.#leftOver), chunk]);
    this.#leftOver = undefined;
    const parts: string[] = [];
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      const lead = bytes[at] as number;
      if (lead < 0x80) {
        at++;
        continue;
      }
      if (at + 1 === bytes.length && stream) {
        this.#leftOver = lead;
        break;
      }
      const added = addedSyllable(lead, bytes[at + 1] ?? 0);
      if (added !== undefined) {
        parts.push(this.#decoder.decode(bytes.subarray(from, at)), added);
        from = at + 2;
      }
      at += 2;
    }
    parts.push(this.#decoder.decode(bytes.subarray(from, Math.min(at, bytes.length))));
    return parts.join("");
  }
}

const FIRST_SYLLABLE = 0xac00;
const SYLLABLES = 11_172;
/** Rows 0x81 to 0xA0 have all trail bytes, the later ones only those below EUC-KR's. */
const FULL_ROWS = 0x20;
const FULL_ROW = 178;
const SHORT_ROW = 84;

let added: string[] | undefined;

function addedSyllable(lead: number, trail: number): string | undefined {
  const column = columnOf(trail);
  if (lead < 0x81 || lead > 0xc6 || column === undefined) return undefined;
  const row = lead - 0x81;
  if (row >= FULL_ROWS && column >= SHORT_ROW) return undefined;
  const before = Math.min(row, FULL_ROWS) * FULL_ROW + Math.max(0, row - FULL_ROWS) * SHORT_ROW;
  added ??= addedSyllables();
  return added[before + column];
}

/** Trail bytes are A–Z, a–z and 0x81–0xFE. */
function columnOf(trail: number): number | undefined {
  if (trail >= 0x41 && trail <= 0x5a) return trail - 0x41;
  if (trail >= 0x61 && trail <= 0x7a) return trail - 0x61 + 26;
  return trail >= 0x81 && trail <= 0xfe ? trail - 0x81 + 52 : undefined;
}

function addedSyllables(): string[] {
  const known = new Set(knownToEucKr());
  const all = Array.from({ length: SYLLABLES }, (_, index) => String.fromCharCode(FIRST_SYLLABLE + index));
  return all.filter((syllable) => !known.has(syllable));
}

function knownToEucKr(): string {
  const bytes: number[] = [];
  for (let lead = 0xb0; lead <= 0xc8; lead++)
    for (let trail = 0xa1; trail <= 0xfe; trail++) bytes.push(lead, trail);
  return new TextDecoder("euc-kr").decode(Uint8Array.from(bytes));
}
