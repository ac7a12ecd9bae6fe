import { isTime, nearest } from "@andon/contract";
import { type Command, CommanderError } from "commander";
import { type Facts, type Localized, say } from "../i18n/localized.ts";
import { WORDS } from "../i18n/words.ts";
import type { OptionSpec } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failures.ts";

/** The texts for the parser's error codes. The parser's own messages quote the word in question. */
const MESSAGES: Readonly<Record<string, Localized>> = {
  "commander.unknownCommand": WORDS.unknownCommand,
  "commander.unknownOption": WORDS.unknownOption,
  "commander.missingArgument": WORDS.argumentMissing,
  "commander.missingMandatoryOptionValue": WORDS.optionMissing,
  "commander.optionMissingArgument": WORDS.valueMissing,
  "commander.help": WORDS.argumentMissing,
};

/** Turns a parser error into a failure. The parser also throws for help and version; those are returned unchanged. */
export function usageFailure(error: CommanderError, command: Command): Error {
  if (error.exitCode === 0) return error;
  const isGroupAlone = error.code === "commander.help";
  if (isGroupAlone && !command.parent) {
    command.outputHelp();
    return new CommanderError(EXIT.ok, error.code, error.message);
  }
  if (error.code === "commander.excessArguments") return excess(command);
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  return failureOf(error.code, isGroupAlone ? "command" : (quoted.split(" <")[0] ?? ""), command);
}

function excess(command: Command): Failure {
  const { parent: group, args } = command;
  // The default command of the group was not named, so the extra word was meant as another command of the group.
  if (group?.parent && group.args[0] !== command.name())
    return failureOf("commander.unknownCommand", args[0] ?? "", group);
  const taken = command.registeredArguments;
  const takes = taken.map((argument) => `<${argument.name()}>`).join(" ");
  const facts = { command: nameOf(command), takes, extra: args.slice(taken.length).join(" ") };
  const hasQueue = command.options.some(({ long }) => long === "--queue");
  const hints = [...(hasQueue ? [WORDS.queueByOption] : []), help(command)];
  return new Failure(EXIT.usage, takes ? WORDS.tooMany : WORDS.takesNone, facts, joined(hints));
}

function failureOf(code: string, given: string, command: Command): Failure {
  const hints = [suggestion(code, given, command), help(command)].filter((hint) => hint !== undefined);
  return new Failure(EXIT.usage, MESSAGES[code] ?? WORDS.usageWrong, { given }, joined(hints));
}

export function valueWrong(name: string, given: string, choices: readonly string[]): Failure {
  const facts = { name, given: JSON.stringify(given), allowed: choices.join(", ") };
  return new Failure(EXIT.usage, WORDS.valueWrong, facts);
}

export function wholeNumber(
  name: string,
  given: string,
  { least = 1, most }: Pick<OptionSpec, "least" | "most">,
): number {
  const number = /^(0|-?[1-9]\d{0,8})$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= (most ?? number)) return number;
  const allowed =
    most === undefined
      ? filled(WORDS.wholeNumber, { least })
      : filled(WORDS.wholeNumberUpTo, { least, most });
  throw notOfItsKind(name, given, allowed);
}

export function utcTime(name: string, given: string): string {
  if (isTime(given)) return given;
  throw notOfItsKind(name, given, WORDS.utcTime);
}

function notOfItsKind(name: string, given: string, allowed: Localized): Failure {
  const facts = { name, given: JSON.stringify(given) };
  return new Failure(EXIT.usage, {
    en: say(WORDS.valueWrong, "en", { ...facts, allowed: allowed.en }),
    ko: say(WORDS.valueWrong, "ko", { ...facts, allowed: allowed.ko }),
  });
}

function suggestion(code: string, given: string, command: Command): Localized | undefined {
  const known = KNOWN[code]?.(command);
  if (!known) return undefined;
  const guess = nearest(given, known.toSorted(readersFirst));
  return guess === undefined
    ? filled(WORDS.known, { known: known.join(", ") })
    : filled(WORDS.didYouMean, { guess });
}

/** Commands that change nothing. Of two equally near commands the suggestion must be the one that decides nothing. */
const READERS = new Set(
  "status queues failed causes show why jobs lanes stops certificate audit watch top workers doctor list held verify check".split(
    " ",
  ),
);
const readersFirst = (a: string, b: string) => Number(READERS.has(b)) - Number(READERS.has(a));

const commandsOf = (command: Command) => command.commands.map((sub) => sub.name());

const KNOWN: Readonly<Record<string, (command: Command) => string[]>> = {
  "commander.unknownCommand": commandsOf,
  "commander.help": commandsOf,
  "commander.unknownOption": optionsOf,
};

function optionsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long }) => (long ? [long] : []));
  return command.parent ? [...own, ...optionsOf(command.parent)] : [...own, "--help"];
}

function help(command: Command): Localized {
  return filled(WORDS.seeHelp, { command: nameOf(command) });
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function filled(said: Localized, facts: Facts): Localized {
  return { en: say(said, "en", facts), ko: say(said, "ko", facts) };
}

function joined(parts: readonly Localized[]): Localized {
  return { en: parts.map(({ en }) => en).join("\n"), ko: parts.map(({ ko }) => ko).join("\n") };
}
