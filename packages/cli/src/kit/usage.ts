import { isTime, nearest } from "@andon/contract";
import { type Command, CommanderError } from "commander";
import { type Said, say } from "../words/said.ts";
import { WORDS } from "../words/words.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failures.ts";

/** What the parser's codes mean to a person. Its messages quote what they are about. */
const MESSAGES: Readonly<Record<string, Said>> = {
  "commander.unknownCommand": WORDS.unknownCommand,
  "commander.unknownOption": WORDS.unknownOption,
  "commander.missingArgument": WORDS.argumentMissing,
  "commander.missingMandatoryOptionValue": WORDS.optionMissing,
  "commander.optionMissingArgument": WORDS.valueMissing,
  "commander.excessArguments": WORDS.tooMany,
  "commander.help": WORDS.argumentMissing,
};

/** The failure that a parser's error is; help and the version are none, and come through as they are. */
export function usageFailure(error: CommanderError, command: Command): Error {
  if (error.exitCode === 0) return error;
  const isGroupAlone = error.code === "commander.help";
  if (isGroupAlone && !command.parent) {
    command.outputHelp();
    return new CommanderError(EXIT.ok, error.code, error.message);
  }
  // A group's default command takes no words: what follows was meant as the name of another command of the group.
  const group =
    error.code === "commander.excessArguments" && command.parent?.parent ? command.parent : undefined;
  if (group) return failureOf("commander.unknownCommand", command.args[0] ?? "", group);
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  return failureOf(error.code, isGroupAlone ? "command" : (quoted.split(" <")[0] ?? ""), command);
}

function failureOf(code: string, given: string, command: Command): Failure {
  const hints = [suggestion(code, given, command), help(command)].filter((hint) => hint !== undefined);
  return new Failure(EXIT.usage, MESSAGES[code] ?? WORDS.usageWrong, { given }, joined(hints));
}

export function valueWrong(name: string, given: string, choices: readonly string[]): Failure {
  const facts = { name, given: JSON.stringify(given), allowed: choices.join(", ") };
  return new Failure(EXIT.usage, WORDS.valueWrong, facts);
}

export function wholeNumber(name: string, given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw notOfItsKind(name, given, WORDS.wholeNumber);
}

export function utcTime(name: string, given: string): string {
  if (isTime(given)) return given;
  throw notOfItsKind(name, given, WORDS.utcTime);
}

function notOfItsKind(name: string, given: string, allowed: Said): Failure {
  const facts = { name, given: JSON.stringify(given) };
  return new Failure(EXIT.usage, {
    en: say(WORDS.valueWrong, "en", { ...facts, allowed: allowed.en }),
    ko: say(WORDS.valueWrong, "ko", { ...facts, allowed: allowed.ko }),
  });
}

function suggestion(code: string, given: string, command: Command): Said | undefined {
  const known = KNOWN[code]?.(command);
  if (!known) return undefined;
  const guess = nearest(given, known.toSorted(readersFirst));
  return guess === undefined
    ? filled(WORDS.known, { known: known.join(", ") })
    : filled(WORDS.didYouMean, { guess });
}

/** Commands that change nothing: of two that are equally near, a guess must not be a decision. */
const READERS = new Set(
  "status queues failed show why jobs lanes stops certificate watch workers doctor list held verify check".split(
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

function help(command: Command): Said {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  return filled(WORDS.seeHelp, { command: names.join(" ") });
}

function filled(said: Said, facts: Record<string, string>): Said {
  return { en: say(said, "en", facts), ko: say(said, "ko", facts) };
}

function joined(parts: readonly Said[]): Said {
  return { en: parts.map(({ en }) => en).join("\n"), ko: parts.map(({ ko }) => ko).join("\n") };
}
