import { filledIn, type Language } from "@andon/contract";
import { Argument, Command, type CommanderError, Option } from "commander";
import { HELP, HELP_TITLES, SECTIONS } from "../i18n/help.ts";
import { type Facts, type Localized, say } from "../i18n/localized.ts";
import { type ArgumentSpec, type CommandSpec, flagOf, type OptionSpec, withFlags } from "./command.ts";
import type { Shell } from "./shell.ts";
import { usageFailure, utcTime, valueWrong, wholeNumber } from "./usage.ts";
import { widthOf } from "./width.ts";

export const GLOBAL_OPTIONS = [
  { flags: "--url <url>", says: HELP.url },
  { flags: "--token <token>", says: HELP.token },
  { flags: "--lang <language>", says: HELP.lang, choices: ["ko", "en"] },
  { flags: "--json", says: HELP.json },
  { flags: "--no-color", says: HELP.noColor },
] as const;

export interface GlobalOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: true;
  readonly color: boolean;
}

type Runner = (
  spec: CommandSpec,
  given: Record<string, unknown>,
  options: Record<string, unknown>,
  global: GlobalOptions,
) => Promise<void>;

export interface ProgramOptions {
  readonly language: Language;
  readonly shell: Shell;
  readonly version: string;
  /** A description of each group of commands. */
  readonly groups: Readonly<Record<string, Localized>>;
  readonly defaultQueue: string | undefined;
  readonly run: Runner;
}

/** The values of the placeholders in the help. */
export function factsOfHelp(defaultQueue: string | undefined, language: Language): Facts {
  return { queue: defaultQueue ?? say(HELP.noDefaultQueue, language) };
}

/** The parser, made from the table of commands. */
export function buildProgram(
  specs: readonly CommandSpec[],
  { language, shell, version, groups, defaultQueue, run }: ProgramOptions,
): Command {
  const facts = factsOfHelp(defaultQueue, language);
  const program = prepared(new Command("andon"), language, shell)
    .description(say(HELP.program, language))
    .version(version, "-V, --version", say(HELP.version, language))
    .helpCommand("help [command]", say(HELP.helpCommand, language));
  for (const { flags, says, ...rest } of GLOBAL_OPTIONS) {
    const option = new Option(flags, say(says, language));
    if ("choices" in rest) option.argParser(oneOf(flags.split(" ")[0] ?? flags, rest.choices));
    program.addOption(option);
  }
  const made = new Map<string, Command>();
  for (const spec of specs) {
    const [first = "", second] = spec.name.split(" ");
    const parent = second === undefined ? program : groupOf(first, spec);
    const command = prepared(new Command(second ?? first), language, shell);
    command.description(say(spec.says, language, facts));
    for (const [name, argument] of Object.entries(spec.given))
      command.addArgument(argumentOf(name, argument, language, facts));
    for (const [name, option] of Object.entries(spec.options))
      command.addOption(optionOf(name, option, language, facts));
    command.addHelpText("after", `\n${say(HELP.example, language)}\n  ${filledIn(spec.example, facts)}`);
    command.action(async (...values: unknown[]) => {
      const names = Object.keys(spec.given);
      const given = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      await run(spec, given, withFlags(spec, command.opts()), program.opts() as GlobalOptions);
    });
    if (second === undefined) command.helpGroup(sectionOf(spec));
    parent.addCommand(command, { isDefault: spec.isDefault ?? false });
  }
  return program;

  function sectionOf({ section, app = "" }: CommandSpec): string {
    return say(section ?? SECTIONS.app, language, { app });
  }

  function groupOf(name: string, first: CommandSpec): Command {
    const known = made.get(name);
    if (known) return known;
    const group = prepared(new Command(name), language, shell);
    const about = groups[name];
    if (about) group.description(say(about, language));
    group.helpCommand(false).helpGroup(sectionOf(first));
    made.set(name, group);
    program.addCommand(group);
    return group;
  }
}

/** Sets the language of the help, and turns the parser's usage errors into our own failures. */
function prepared(command: Command, language: Language, shell: Shell): Command {
  return command
    .helpOption("-h, --help", say(HELP.help, language))
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: (text) => shell.stdout.write(text), writeErr: () => {} })
    .configureHelp({
      showGlobalOptions: true,
      displayWidth: widthOf,
      helpWidth: shell.stdout.columns || 100,
      styleTitle: (title) => (language === "ko" ? (HELP_TITLES[title] ?? title) : title),
    })
    .exitOverride((error: CommanderError) => {
      throw usageFailure(error, command);
    });
}

function argumentOf(name: string, spec: ArgumentSpec, language: Language, facts: Facts): Argument {
  const inner = spec.many ? `${name}...` : name;
  const argument = new Argument(spec.optional ? `[${inner}]` : `<${inner}>`, say(spec.says, language, facts));
  return spec.choices ? argument.argParser(oneOf(`<${name}>`, spec.choices)) : argument;
}

function optionOf(name: string, spec: OptionSpec, language: Language, facts: Facts): Option {
  const flag = flagOf(name);
  const option = new Option(spec.value ? `${flag} <${spec.value}>` : flag, describe(spec, language, facts));
  if (spec.choices) option.argParser(oneOf(flag, spec.choices));
  if (spec.whole) option.argParser((text: string) => wholeNumber(flag, text, spec));
  if (spec.time) option.argParser((text: string) => utcTime(flag, text));
  return option.makeOptionMandatory(spec.required ?? false);
}

function describe({ says, choices }: OptionSpec, language: Language, facts: Facts): string {
  const text = say(says, language, facts);
  return choices ? `${text}: ${choices.join(", ")}` : text;
}

function oneOf(name: string, choices: readonly string[]): (given: string) => string {
  return (given) => {
    if (!choices.includes(given)) throw valueWrong(name, given, choices);
    return given;
  };
}
