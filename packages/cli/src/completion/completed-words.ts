import type { Language } from "@andon/contract";
import { say } from "../i18n/localized.ts";
import { type CommandSpec, flagOf } from "../terminal/command.ts";
import { GLOBAL_OPTIONS } from "../terminal/program.ts";

/** A word that can come next, and its description. */
export interface CompletedWord {
  readonly word: string;
  readonly says: string;
}

/** The words that can follow a command. */
export interface CompletedCommand {
  /** The words of the command: empty for `andon` itself. */
  readonly path: readonly string[];
  readonly words: readonly CompletedWord[];
  readonly options: readonly CompletedWord[];
  /** Values of options and arguments with a fixed list of values; `flag` is null for an argument. */
  readonly choices: readonly { readonly flag: string | null; readonly values: readonly string[] }[];
}

/** `andon` itself, its groups and all its commands, from the table of commands. */
export function completedCommands(specs: readonly CommandSpec[], language: Language): CompletedCommand[] {
  const globals = GLOBAL_OPTIONS.map(({ flags, says }) => ({
    word: flags.split(" ")[0] as string,
    says: says[language],
  }));
  const help = { word: "--help", says: language === "ko" ? "도움말" : "show the help" };
  const firsts = new Map<string, string>();
  const groups = new Map<string, CompletedWord[]>();
  const commands = specs.map((spec): CompletedCommand => {
    const path = spec.name.split(" ");
    const [first = "", second] = path;
    const says = say(spec.says, language, { queue: "" });
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), { word: second, says }]);
    if (!firsts.has(first)) firsts.set(first, second === undefined ? says : first);
    return {
      path,
      words: [],
      options: [...optionsOf(spec, language), ...globals, help],
      choices: choicesOf(spec),
    };
  });
  const words = [...firsts].map(([word, says]) => ({ word, says }));
  const root: CompletedCommand = { path: [], words, options: [...globals, help], choices: [] };
  const ofGroups = [...groups].map(([name, each]) => ({ ...root, path: [name], words: each }));
  return [root, ...ofGroups, ...commands];
}

function optionsOf({ options }: CommandSpec, language: Language): CompletedWord[] {
  return Object.entries(options).map(([name, { says }]) => ({
    word: flagOf(name),
    says: say(says, language, { queue: "" }),
  }));
}

function choicesOf({ given, options }: CommandSpec): CompletedCommand["choices"] {
  const ofOptions = Object.entries(options).map(([name, { choices }]) => ({ flag: flagOf(name), choices }));
  const ofArguments = Object.values(given).map(({ choices }) => ({ flag: null, choices }));
  return [...ofOptions, ...ofArguments].flatMap(({ flag, choices }) =>
    choices ? [{ flag, values: choices }] : [],
  );
}
