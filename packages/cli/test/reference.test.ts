/**
 * The pages docs/{en,ko}/reference/cli.md are rendered from the table of commands:
 * `ANDON_RENDER=1 npx vitest run packages/cli/test/reference` rewrites the text between their marks.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { filledIn, type Language } from "@andon/contract";
import { describe, expect, test } from "vitest";
import { defaultQueueOf } from "../src/cli-app.ts";
import { CORE_COMMANDS } from "../src/commands/index.ts";
import { type CommandSpec, flagOf } from "../src/terminal/command.ts";
import { EXIT, EXIT_MEANINGS } from "../src/terminal/exit-codes.ts";
import { factsOfHelp, GLOBAL_OPTIONS } from "../src/terminal/program.ts";
import { cliApps } from "./harness.ts";

const COMMANDS = [...CORE_COMMANDS, ...cliApps.flatMap(({ commands }) => commands)];
/** Fills in the default queue of the installed apps. */
const filled = (text: string, language: Language) =>
  filledIn(text, factsOfHelp(defaultQueueOf(cliApps), language));

const HEADS = {
  en: { option: "option", argument: "argument", meaning: "meaning", code: "exit code" },
  ko: { option: "옵션", argument: "인수", meaning: "뜻", code: "종료 코드" },
};

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

function usage({ name, isDefault, given, options }: CommandSpec): string {
  const words = isDefault ? name.replace(/ (\S+)$/, " [$1]") : name;
  const parts = Object.entries(given).map(([argument, { optional, many }]) => {
    const text = many ? `${argument}...` : argument;
    return optional ? `[${text}]` : `<${text}>`;
  });
  return ["andon", words, ...parts, ...(Object.keys(options).length > 0 ? ["[options]"] : [])].join(" ");
}

function commandText(spec: CommandSpec, language: Language): string {
  const heads = HEADS[language];
  const given = Object.entries(spec.given).map(([name, { says }]) => [
    code(name),
    cell(filled(says[language], language)),
  ]);
  const options = Object.entries(spec.options).map(([name, { value, says, choices }]) => {
    const flag = value === undefined ? flagOf(name) : `${flagOf(name)} <${value}>`;
    const allowed = choices ? `: ${choices.map(code).join(", ")}` : "";
    return [code(flag), cell(filled(says[language], language)) + allowed];
  });
  return [
    `### andon ${spec.name}`,
    `${filled(spec.says[language], language)}.`,
    `\`\`\`sh\n${usage(spec)}\n\`\`\``,
    ...(given.length > 0 ? [table([heads.argument, heads.meaning], given)] : []),
    ...(options.length > 0 ? [table([heads.option, heads.meaning], options)] : []),
    `\`\`\`sh\n${filled(spec.example, language)}\n\`\`\``,
  ].join("\n\n");
}

const PARTS: Record<string, (language: Language) => string> = {
  options: (language) =>
    table(
      [HEADS[language].option, HEADS[language].meaning],
      GLOBAL_OPTIONS.map(({ flags, says }) => [code(flags), cell(says[language])]),
    ),
  "exit-codes": (language) =>
    table(
      [HEADS[language].code, HEADS[language].meaning],
      Object.entries(EXIT).map(([name, number]) => [
        code(String(number)),
        EXIT_MEANINGS[name as keyof typeof EXIT][language],
      ]),
    ),
  commands: (language) => COMMANDS.map((spec) => commandText(spec, language)).join("\n\n"),
};

describe.each(["en", "ko"] as const)("docs/%s/reference/cli.md", (language) => {
  const url = new URL(`../../../docs/${language}/reference/cli.md`, import.meta.url);

  test.each(Object.keys(PARTS))("its %s match the command", (part) => {
    const text = readFileSync(url, "utf8");
    const start = `<!-- generated: ${part} -->\n`;
    const from = text.indexOf(start) + start.length;
    const to = text.indexOf("<!-- end -->", from);
    expect(text.includes(start) && to > 0, `a mark for ${part}`).toBe(true);
    const rendered = `\n${PARTS[part]?.(language)}\n\n`;
    if (process.env.ANDON_RENDER) writeFileSync(url, text.slice(0, from) + rendered + text.slice(to));
    else expect(text.slice(from, to), "the page is stale").toBe(rendered);
  });

  test("it names every command, option and exit code", () => {
    const text = readFileSync(url, "utf8");
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(`### andon ${name}\n`);
      for (const option of Object.keys(options)) expect(text).toContain(flagOf(option));
    }
    for (const number of Object.values(EXIT)) expect(text).toContain(`| \`${number}\` |`);
  });
});
