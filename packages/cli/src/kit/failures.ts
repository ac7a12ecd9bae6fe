import { RefusedError } from "@andon/client";
import { type ErrorCode, isAndonError, type Language } from "@andon/contract";
import { HINTS } from "../words/hints.ts";
import { type Facts, type Said, say } from "../words/said.ts";
import { WORDS } from "../words/words.ts";
import { EXIT } from "./exit-codes.ts";
import { Interrupted } from "./shell.ts";

/** The command itself cannot go on, and says so in its own words. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;
  readonly said: Said;
  readonly facts: Facts;
  readonly hint: Said | undefined;

  constructor(exitCode: number, said: Said, facts: Facts = {}, hint?: Said) {
    super(say(said, "en", facts));
    this.exitCode = exitCode;
    this.said = said;
    this.facts = facts;
    this.hint = hint;
  }
}

/** A failure as a person is told of it. */
export interface Told {
  readonly exitCode: number;
  readonly message: string;
  readonly code?: string | undefined;
  /** What to do now. */
  readonly hint?: string | undefined;
}

const EXIT_OF_STATUS: Readonly<Record<number, number>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
};

export function toldOf(error: unknown, language: Language, url: string): Told {
  if (error instanceof Failure) {
    const hint = error.hint && say(error.hint, language, error.facts);
    return { exitCode: error.exitCode, message: say(error.said, language, error.facts), hint };
  }
  if (error instanceof Interrupted) return { exitCode: EXIT.interrupted, message: error.message };
  if (error instanceof RefusedError) return refusalOf(error, language, url);
  if (isAndonError(error)) return { exitCode: EXIT.refused, message: error.in(language), code: error.code };
  const cause = networkCause(error);
  if (cause !== undefined) {
    return {
      exitCode: EXIT.unreachable,
      message: say(WORDS.unreachable, language, { url, cause }),
      hint: say(WORDS.unreachableHint, language),
    };
  }
  return { exitCode: EXIT.refused, message: textOf(error, language) };
}

/** Errors about settings and storages speak both languages too. Their packages are loaded only by commands that need them. */
function textOf(error: unknown, language: Language): string {
  if (!(error instanceof Error)) return String(error);
  return "in" in error && typeof error.in === "function" ? error.in(language) : error.message;
}

function refusalOf({ status, problem }: RefusedError, language: Language, url: string): Told {
  if (!problem) {
    return {
      exitCode: EXIT.unreachable,
      message: say(WORDS.notAndon, language, { url, status }),
      hint: say(WORDS.unreachableHint, language),
    };
  }
  const hint = HINTS[problem.error as ErrorCode];
  return {
    exitCode: EXIT_OF_STATUS[status] ?? EXIT.refused,
    message: problem.message,
    code: problem.error,
    hint: hint && say(hint, language),
  };
}

/** What kept `fetch` from an answer; undefined for any other error. */
function networkCause(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || error.message !== "fetch failed") return undefined;
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
