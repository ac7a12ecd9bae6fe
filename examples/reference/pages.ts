/** Reads, compares and writes the pages of docs/{en,ko}/reference. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

export const LANGUAGES = ["en", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

const pageUrl = (language: Language, name: string) =>
  new URL(`../../docs/${language}/reference/${name}.md`, import.meta.url);

export const readPage = (language: Language, name: string) => readFileSync(pageUrl(language, name), "utf8");

/** Compares the text between two marks of a page with the rendered text, or replaces it. */
export function expectGenerated(
  language: Language,
  page: string,
  mark: string,
  render: (now: string) => string,
): void {
  const text = readPage(language, page);
  const [start, end] = [`<!-- generated: ${mark} -->\n`, "<!-- end -->"];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (!text.includes(start) || to < 0) throw new Error(`docs/${language}/${page}.md has no mark ${mark}`);
  const now = text.slice(from, to);
  const rendered = `\n${render(now)}\n\n`;
  if (process.env.ANDON_RENDER)
    writeFileSync(pageUrl(language, page), text.slice(0, from) + rendered + text.slice(to));
  else expect(now, `docs/${language}/reference/${page}.md is stale`).toBe(rendered);
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
export const code = (text: string) => `\`${text}\``;
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** Cells of a markdown table by the first cell of their row. */
export function rowsOf(text: string): Map<string, string[]> {
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((part) => part.trim().replaceAll("\\|", "|")),
    );
  return new Map(rows.map((row) => [row[0] as string, row]));
}

/** Replaces the English text of each row by the Korean text that the page already has. */
export function keepKorean(language: Language, now: string, rows: string[][], column: number): string[][] {
  if (language === "en") return rows;
  const kept = rowsOf(now);
  return rows.map((row) => row.with(column, kept.get(row[0] as string)?.[column] ?? (row[column] as string)));
}

/** The texts without a Korean letter. */
export const foreignTo = (texts: readonly string[]) => texts.filter((text) => !/[가-힣]/.test(text));
