/**
 * Compares the reference pages with the code that they describe. Tables between `<!-- generated … -->` marks are rendered
 * from the schema, the error catalogue and the table of transitions; `ANDON_RENDER=1 npx vitest run examples/reference`
 * writes them. In Korean pages the column that explains a row is written by hand and kept.
 */
import { readdirSync, readFileSync } from "node:fs";
import { ERROR_CATALOGUE, JOB_STATES, queueRules, scheduleSpec } from "@andon/contract";
import { bulkSettingsSchema, JOB_TRANSITIONS, WHY_SENTENCES, workOptionsSchema } from "@andon/engine";
import { ENVIRONMENT, settingsSchema } from "@andon/server";
import { open } from "andon";
import { describe, expect, test } from "vitest";
import { optionsOf, type Schema } from "./reference/options.ts";
import {
  code,
  expectGenerated,
  foreignTo,
  keepKorean,
  LANGUAGES,
  readPage,
  rowsOf,
  table,
} from "./reference/pages.ts";

const HEADS = {
  en: {
    options: ["name", "meaning", "unit or values", "default"],
    settings: ["key", "meaning", "unit or values", "default", "variable"],
    errors: ["code", "status", "message"],
    arrows: ["event", "from", "to", "why"],
  },
  ko: {
    options: ["이름", "뜻", "단위 또는 값", "기본값"],
    settings: ["키", "뜻", "단위 또는 값", "기본값", "환경 변수"],
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
    expectGenerated(language, "queue-rules", "bulkSettings", optionTable(bulkSettingsSchema.shape));
  });

  test("settings.md lists the settings, and the environment variables that override them", () => {
    const variables = new Map(Object.entries(ENVIRONMENT).map(([name, { key }]) => [key, code(name)]));
    const rows = optionsOf(settingsSchema.shape as unknown as Record<string, Schema>).map((option) => [
      code(option.name),
      option.meaning,
      option.unit,
      option.preset,
      variables.get(option.name) ?? "",
    ]);
    expect(rows.filter(([, , , , variable]) => variable)).toHaveLength(variables.size);
    expectGenerated(language, "settings", "settingsSchema", (now) =>
      table(HEADS[language].settings, keepKorean(language, now, rows, 1)),
    );
  });

  test("schedules.md lists the fields of a schedule", () => {
    expectGenerated(language, "schedules", "scheduleSpec", optionTable(scheduleSpec.shape));
  });

  test("errors.md lists the error catalogue", () => {
    const rows = Object.entries(ERROR_CATALOGUE).map(([name, error]) => [
      code(name),
      String(error.status),
      ofSeveral(error[language]).replaceAll("<", "&lt;"),
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

test.each(LANGUAGES)("docs/%s/guide/operating.md says what to do for every rule of `why`", (language) => {
  const page = readFileSync(new URL(`../docs/${language}/guide/operating.md`, import.meta.url), "utf8");
  expect(Object.keys(WHY_SENTENCES).filter((rule) => !page.includes(code(rule)))).toEqual([]);
});

test("Korean tables are in Korean", () => {
  const pages = ["queue-rules", "states", "events", "job-options", "schedules", "settings"];
  const rows = pages.flatMap((page) => [...rowsOf(readPage("ko", page)).values()].map((row) => row.join("")));
  expect(foreignTo(rows)).toEqual([]);
});

test.each(["README.md", "README.ko.md"])("%s shows examples/first-queue.ts and what it prints", (name) => {
  const example = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
  const readme = example(`../${name}`);
  expect(readme).toContain(`\`\`\`ts\n${example("first-queue.ts").replace(/^\/\*\*.*\n/, "")}\`\`\``);
  expect(readme).toContain(`\`\`\`\n${example("first-queue.out")}\`\`\``);
});

/** Every event type in the sources: the first argument of `event(…)`, and rows that are built for the feed. */
function writtenEvents(): string[] {
  const found = new Set<string>();
  for (const folder of ["engine", "store"]) {
    const root = new URL(`../packages/${folder}/src/`, import.meta.url);
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const text = readFileSync(new URL(file.replaceAll("\\", "/"), root), "utf8");
      const calls = [
        ...text.matchAll(/\.event\(([^,]+),/g),
        ...text.matchAll(/\{ type: ("[^"]+"), queue/g),
        ...text.matchAll(/insert into andon_events[^']*('[^']+')/g),
      ];
      for (const [, names] of calls)
        for (const [, name] of (names ?? "").matchAll(/["'](\w+\.[\w-]+)["']/g)) found.add(name as string);
    }
  }
  return [...found].map(code).sort();
}

/** A text in its plural form: `{count} {count:job|jobs}` becomes `{count} jobs`. */
function ofSeveral(text: string): string {
  return text.replace(/\{\w+:[^{}|]*\|([^{}|]*)\}/g, "$1");
}
