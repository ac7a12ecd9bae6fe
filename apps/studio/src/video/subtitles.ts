/** A text and the time when it is shown, in seconds. */
export interface Caption {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly font: string;
}

/** More lines at once would cover the picture and be too much to read. */
const MOST_LINES = 2;

const captionSize = ({ height }: Pick<Look, "height">) => Math.round(height / 16);

/** Splits a scene's text into parts of at most two lines. Each part is shown for its share of the text. */
export function captionsOf(
  { text, from, to }: Caption,
  look: Pick<Look, "width" | "height">,
): readonly Caption[] {
  const lines = wrapped(text, columnsOf(look, captionSize(look)));
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += MOST_LINES)
    parts.push(lines.slice(at, at + MOST_LINES).join(" "));
  const whole = parts.reduce((sum, part) => sum + widthOf(part), 0);
  let start = from;
  return parts.map((part, index) => {
    const end = index === parts.length - 1 ? to : start + ((to - from) * widthOf(part)) / whole;
    const caption = { text: part, from: start, to: end };
    start = end;
    return caption;
  });
}

/** Subtitles in the SRT format, which a player shows. */
export function srtOf(captions: readonly Caption[]): string {
  return captions
    .map(({ text, from, to }, index) => `${index + 1}\n${srtTime(from)} --> ${srtTime(to)}\n${text}\n`)
    .join("\n");
}

/** Subtitles in the ASS format, which are burned into the lower part of the film. */
export function assOf(captions: readonly Caption[], look: Look): string {
  const size = captionSize(look);
  const style = `${look.font},${size},&H00FFFFFF,&H00000000,&H80000000,0,1,3,1,2,60,60,${Math.round(size * 1.2)}`;
  return document(
    look,
    style,
    captions.map(({ text, from, to }) => event(from, to, wrapped(text, columnsOf(look, size)))),
  );
}

/**
 * The share of a card that its text may fill: subtitles cover the lower part, and the film zooms in up to 1.12 and moves over
 * the card.
 */
const CARD_WIDTH = 0.76;
const CARD_HEIGHT = 0.66;

/** A card whose text is above the subtitles, as large as it fits. */
export function titleCard(text: string, look: Look): string {
  const most = look.height * CARD_HEIGHT;
  const linesAt = (size: number) => wrapped(text, columnsOf(look, size, CARD_WIDTH));
  let size = Math.round(look.height / 9);
  while (size > 8 && linesAt(size).length * size > most) size--;
  const style = `${look.font},${size},&H00FFFFFF,&H00000000,&H80000000,1,1,0,2,5,80,80,40`;
  const middle = `{\\pos(${look.width / 2},${Math.round(look.height * 0.08 + most / 2)})}`;
  return document(look, style, [event(0, 3_600, linesAt(size), middle)]);
}

function document({ width, height }: Look, style: string, events: readonly string[]): string {
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
WrapStyle: 2

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV
Style: Default,${style}

[Events]
Format: Layer, Start, End, Style, Text
${events.join("\n")}
`;
}

function event(from: number, to: number, lines: readonly string[], command = ""): string {
  return `Dialogue: 0,${assTime(from)},${assTime(to)},Default,${command}${lines.map(plain).join("\\N")}`;
}

/** Replaces braces and backslashes, which would be commands. */
function plain(line: string): string {
  return line.replaceAll("\\", "⧵").replaceAll("{", "(").replaceAll("}", ")");
}

/**
 * How many narrow characters fit into a line. A font's size is its line height: in Noto Sans CJK a narrow character takes
 * 0.35 of it, and a wide one, such as Hangul, twice as much. 0.42 leaves room for fonts with less line spacing.
 */
function columnsOf({ width }: Pick<Look, "width">, size: number, share = 0.86): number {
  return Math.max(8, Math.floor((width * share) / (size * 0.42)));
}

/** Lines of at most this many columns; longer words are broken. */
function wrapped(text: string, columns: number): string[] {
  const lines = [""];
  const add = (piece: string) => {
    const last = lines.at(-1) as string;
    const joined = last === "" ? piece : `${last} ${piece}`;
    if (widthOf(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(piece);
  };
  for (const word of text.split(/\s+/)) for (const piece of broken(word, columns)) add(piece);
  return lines.filter((line) => line !== "");
}

function broken(word: string, columns: number): string[] {
  const pieces = [""];
  for (const character of word) {
    const longer = `${pieces.at(-1)}${character}`;
    if (widthOf(longer) <= columns) pieces[pieces.length - 1] = longer;
    else pieces.push(character);
  }
  return pieces;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/.test(character) ? 2 : 1;
  return width;
}

function clock(seconds: number): { hours: number; minutes: number; rest: number } {
  return { hours: Math.floor(seconds / 3_600), minutes: Math.floor(seconds / 60) % 60, rest: seconds % 60 };
}

const two = (value: number) => String(value).padStart(2, "0");

function srtTime(seconds: number): string {
  const { hours, minutes, rest } = clock(Math.round(seconds * 1_000) / 1_000);
  return `${two(hours)}:${two(minutes)}:${rest.toFixed(3).padStart(6, "0").replace(".", ",")}`;
}

function assTime(seconds: number): string {
  const { hours, minutes, rest } = clock(Math.round(seconds * 100) / 100);
  return `${hours}:${two(minutes)}:${rest.toFixed(2).padStart(5, "0")}`;
}
