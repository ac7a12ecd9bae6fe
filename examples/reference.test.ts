/**
 * The reference pages are compared with the code that they describe. Tables between `<!-- generated … -->` marks are
 * rendered from the schema, the catalogue and the table of transitions; `ANDON_RENDER=1 npx vitest run examples/reference`
 * writes them anew. In Korean pages the column that explains a row is written by hand and kept.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { ERROR_CATALOGUE, JOB_STATES, queueRules, scheduleSpec } from "@andon/contract";
import { JOB_TRANSITIONS, WHY_SENTENCES, workOptionsSchema } from "@andon/engine";
import { open } from "andon";
import { describe, expect, test } from "vitest";

const LANGUAGES = ["en", "ko"] as const;
type Language = (typeof LANGUAGES)[number];

const pageUrl = (language: Language, name: string) =>
  new URL(`../docs/${language}/reference/${name}.md`, import.meta.url);
const readPage = (language: Language, name: string) => readFileSync(pageUrl(language, name), "utf8");

/** Compares what stands between two marks of a page with what is rendered, or writes it there. */
function expectGenerated(language: Language, page: string, mark: string, render: (now: string) => string) {
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
const code = (text: string) => `\`${text}\``;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** Cells of a markdown table by the first cell of their row. */
function rowsOf(text: string): Map<string, string[]> {
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

/** Puts the Korean text that the page has for a row in place of the English one. */
function keepKorean(language: Language, now: string, rows: string[][], column: number): string[][] {
  if (language === "en") return rows;
  const kept = rowsOf(now);
  return rows.map((row) => row.with(column, kept.get(row[0] as string)?.[column] ?? (row[column] as string)));
}

interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly defaultValue?: unknown;
  readonly shape?: Record<string, Schema>;
  readonly options?: readonly Schema[];
  readonly entries?: Record<string, string>;
  readonly in?: Schema;
}
interface Schema {
  readonly description?: string | undefined;
  readonly def: Definition;
}

interface Option {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string;
  readonly preset: string;
}

/** The options of an object schema with those of the objects in it, by their dotted names. */
function optionsOf(shape: Record<string, Schema>, prefix = ""): Option[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { inner, preset } = unwrapped(schema);
    const own = { name: prefix + name, meaning: schema.description ?? inner.description ?? "" };
    if (inner.def.shape)
      return [{ ...own, unit: "object", preset: "" }, ...optionsOf(inner.def.shape, `${own.name}.`)];
    const unit = unitOf(inner);
    return [{ ...own, unit, preset: preset === undefined ? "" : code(shown(preset, unit)) }];
  });
}

function unwrapped(schema: Schema): { inner: Schema; preset: unknown } {
  let preset: unknown;
  let inner = schema;
  while (inner.def.innerType) {
    if (inner.def.type === "default") preset = inner.def.defaultValue;
    inner = inner.def.innerType;
  }
  return { inner, preset };
}

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** A default as one would write it: milliseconds in the largest unit that fits. */
function shown(preset: unknown, unit: string): string {
  const ms = unit === DURATION && typeof preset === "number" ? preset : 0;
  const fits = Object.entries(UNITS).find(([, length]) => ms > 0 && ms % length === 0);
  return JSON.stringify(fits ? `${ms / fits[1]}${fits[0]}` : preset);
}

const DURATION = "duration";

function unitOf({ def }: Schema): string {
  if (def.type === "pipe") return DURATION;
  if (def.type === "enum")
    return Object.values(def.entries ?? {})
      .map(code)
      .join(", ");
  if (def.type === "union") return (def.options ?? []).map(unitOf).join(", ");
  return def.type === "custom" ? "function" : def.type;
}

const HEADS = {
  en: {
    options: ["name", "meaning", "unit or values", "default"],
    errors: ["code", "status", "message"],
    arrows: ["event", "from", "to", "why"],
  },
  ko: {
    options: ["이름", "뜻", "단위 또는 값", "기본값"],
    errors: ["코드", "상태", "메시지"],
    arrows: ["이벤트", "이전 상태", "다음 상태", "이유"],
  },
};

describe.each(LANGUAGES)("docs/%s/reference", (language) => {
  const optionTable = (shape: unknown) => (now: string) => {
    const rows = optionsOf(shape as Record<string, Schema>).map((option) => [
      code(option.name),
      option.meaning,
      option.unit,
      option.preset,
    ]);
    return table(HEADS[language].options, keepKorean(language, now, rows, 1));
  };

  test("queue-rules.md lists the rules of the schema", () => {
    expectGenerated(language, "queue-rules", "queueRules", optionTable(queueRules.shape));
    expectGenerated(language, "queue-rules", "workOptions", optionTable(workOptionsSchema.shape));
  });

  test("schedules.md lists what a schedule is made of", () => {
    expectGenerated(language, "schedules", "scheduleSpec", optionTable(scheduleSpec.shape));
  });

  test("errors.md lists the error catalogue", () => {
    const rows = Object.entries(ERROR_CATALOGUE).map(([name, error]) => [
      code(name),
      String(error.status),
      error[language].replaceAll("<", "&lt;"),
    ]);
    expectGenerated(language, "errors", "ERROR_CATALOGUE", () => table(HEADS[language].errors, rows));
  });

  test("states.md draws the table of transitions", () => {
    const arrows = Object.entries(JOB_TRANSITIONS);
    const rows = arrows.map(([event, { from, to, why }]) => [
      code(event),
      from.map(code).join(", "),
      to.map(code).join(", "),
      why,
    ]);
    const lines = arrows.flatMap(([event, { from, to }]) =>
      from.flatMap((before) => to.map((after) => `  ${before} --> ${after}: ${event}`)),
    );
    const diagram = ["```mermaid", "stateDiagram-v2", ...lines, "```"].join("\n");
    expectGenerated(language, "states", "diagram", () => diagram);
    expectGenerated(language, "states", "arrows", (now) =>
      table(HEADS[language].arrows, keepKorean(language, now, rows, 3)),
    );
  });

  test("states.md explains every state", () => {
    const explained = [...rowsOf(readPage(language, "states").split("<!-- generated")[0] ?? "").keys()];
    expect(explained).toEqual(JOB_STATES.map(code));
  });

  test("events.md lists every event that the code writes", () => {
    expect([...rowsOf(readPage(language, "events")).keys()].sort()).toEqual(writtenEvents());
  });

  test("job-options.md lists every option of a job", async () => {
    const andon = await open("sqlite::memory:");
    const refused = andon.queue("any").add(null, { "an option of nobody's": true } as object);
    const message = await refused.then(String, String);
    await andon.close();
    const known = /Known: (.*)\./.exec(message)?.[1]?.split(", ") ?? [];
    expect([...rowsOf(readPage(language, "job-options")).keys()]).toEqual(known.map(code));
  });
});

test.each(LANGUAGES)("docs/%s/guide/operating.md says what to do about every answer of why", (language) => {
  const page = readFileSync(new URL(`../docs/${language}/guide/operating.md`, import.meta.url), "utf8");
  expect(Object.keys(WHY_SENTENCES).filter((rule) => !page.includes(code(rule)))).toEqual([]);
});

test("Korean tables are in Korean", () => {
  const pages = ["queue-rules", "states", "events", "job-options", "schedules"];
  const foreign = pages.flatMap((page) =>
    [...rowsOf(readPage("ko", page)).values()].filter((row) => !/[가-힣]/.test(row.join(""))),
  );
  expect(foreign).toEqual([]);
});

test.each(["README.md", "README.ko.md"])("%s shows examples/first-queue.ts and what it prints", (name) => {
  const example = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
  const readme = example(`../${name}`);
  expect(readme).toContain(`\`\`\`ts\n${example("first-queue.ts").replace(/^\/\*\*.*\n/, "")}\`\`\``);
  expect(readme).toContain(`\`\`\`\n${example("first-queue.out")}\`\`\``);
});

/** Every event type in the sources: the first argument of `event(…)`, and rows that are made for the feed. */
function writtenEvents(): string[] {
  const found = new Set<string>();
  for (const folder of ["engine", "store"]) {
    const root = new URL(`../packages/${folder}/src/`, import.meta.url);
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const text = readFileSync(new URL(file.replaceAll("\\", "/"), root), "utf8");
      const calls = [...text.matchAll(/\.event\(([^,]+),/g), ...text.matchAll(/\{ type: ("[^"]+"), queue/g)];
      for (const [, names] of calls)
        for (const [, name] of (names ?? "").matchAll(/"(\w+\.[\w-]+)"/g)) found.add(name as string);
    }
  }
  return [...found].map(code).sort();
}
