/** A block of a page. Runbooks use only these, which a test checks. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "list"; readonly isNumbered: boolean; readonly items: readonly (readonly Block[])[] };

const HEADING = /^(#{1,4}) (.+)$/;
const FENCE = /^```/;
const ITEM = /^(\d+\.|-) +/;
const TABLE = /^\|/;
const isPlain = (line: string) =>
  line !== "" && ![HEADING, FENCE, ITEM, TABLE].some((start) => start.test(line));

export function blocksOf(text: string): readonly Block[] {
  return read(text.split("\n"));
}

function read(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  const take = (isPart: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && isPart(lines[at] as string)) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] as string;
    const heading = HEADING.exec(line);
    if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
      at++;
    } else if (FENCE.test(line)) {
      at++;
      blocks.push({ kind: "code", text: take((next) => !FENCE.test(next)).join("\n") });
      at++;
    } else if (TABLE.test(line)) {
      const [head = [], , ...rows] = take((next) => TABLE.test(next)).map(cellsOf);
      blocks.push({ kind: "table", head, rows });
    } else if (ITEM.test(line)) {
      const isNumbered = /^\d/.test(line);
      const items: Block[][] = [];
      for (let marker = markerOf(lines[at], isNumbered); marker; marker = markerOf(lines[at], isNumbered)) {
        const first = (lines[at] as string).slice(marker.length);
        at++;
        const rest = take(
          (next) => next === "" || next.startsWith(" ".repeat(marker?.length ?? 0)) || isPlain(next),
        );
        items.push(read([first, ...rest.map((next) => without(next, marker?.length ?? 0))]));
      }
      blocks.push({ kind: "list", isNumbered, items });
    } else if (line === "") {
      at++;
    } else {
      at++;
      blocks.push({ kind: "text", text: [line, ...take(isPlain)].join(" ") });
    }
  }
  return blocks;
}

function markerOf(line: string | undefined, isNumbered: boolean): string | undefined {
  const marker = ITEM.exec(line ?? "")?.[0];
  return marker !== undefined && /^\d/.test(marker) === isNumbered ? marker : undefined;
}

function without(line: string, indent: number): string {
  return line.startsWith(" ".repeat(indent)) ? line.slice(indent) : line.trimStart();
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}
