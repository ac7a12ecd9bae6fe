/** How many columns a text takes in a terminal, where Korean, Chinese, Japanese and emoji take two each. */

/** Ranges of code points that Unicode calls wide or fullwidth (East Asian Width W and F), without the emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

const PLAIN = /^[\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of colours begin with one.
const COLOURS = /\x1b\[[0-9;]*m/g;
const EMOJI = /^\p{Emoji_Presentation}|\ufe0f/u;
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text.replace(COLOURS, ""))) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}

/** The text cut to at most `columns`, ending in an ellipsis if it was cut. Uncoloured text only. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [cut, width] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    const next = graphemeWidth(segment);
    if (width + next > columns - 1) break;
    cut += segment;
    width += next;
  }
  return columns < 1 ? "" : `${cut}…`;
}

/** The text in lines of at most `columns`, broken between words. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function padTo(text: string, columns: number, side: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return side === "left" ? text + space : space + text;
}

/** An untrusted text on one line, without characters that move the cursor or colour the terminal. */
export function onOneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "�")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}

/** As `onOneLine`, but keeps the lines. */
export function withLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) =>
      line
        .replaceAll("\t", "  ")
        .replace(/\p{Cc}/gu, "�")
        .replace(/[\u202a-\u202e\u2066-\u2069]/g, ""),
    )
    .join("\n");
}
