import { RefusedError } from "@andon/client";
import { isAndonError, type Language } from "@andon/contract";
import { HINTS, NO_APP } from "../i18n/hints.ts";
import { type Facts, type Localized, say } from "../i18n/localized.ts";
import { WORDS } from "../i18n/words.ts";
import { EXIT } from "./exit-codes.ts";
import { Interrupted } from "./shell.ts";

/** An error of the command itself, with its text in both languages. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;
  readonly said: Localized;
  readonly facts: Facts;
  readonly hint: Localized | undefined;

  constructor(exitCode: number, said: Localized, facts: Facts = {}, hint?: Localized) {
    super(say(said, "en", facts));
    this.exitCode = exitCode;
    this.said = said;
    this.facts = facts;
    this.hint = hint;
  }
}

/** A failure as the terminal shows it. */
export interface ErrorDescription {
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

/** An app's hints for its own error codes. */
export interface HintsOfApp {
  readonly name: string;
  readonly hints?: Readonly<Record<string, Localized>>;
}

/** `app` is the app whose command failed; absent for a command of the core. */
export function describeError(
  error: unknown,
  language: Language,
  url: string,
  app?: HintsOfApp,
): ErrorDescription {
  if (error instanceof Failure) {
    const hint = error.hint && say(error.hint, language, error.facts);
    return { exitCode: error.exitCode, message: say(error.said, language, error.facts), hint };
  }
  if (isInterrupted(error)) return { exitCode: EXIT.interrupted, message: error.message };
  if (error instanceof RefusedError) return refusalOf(error, language, url, app);
  if (isAboutSettings(error)) {
    const message = `${say(WORDS.settingsBad, language)}\n${error.in(language)}`;
    return { exitCode: EXIT.settings, message };
  }
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

/** Ctrl-C while an answer is being read throws an `AbortError` instead. */
function isInterrupted(error: unknown): error is Error {
  return error instanceof Interrupted || (error instanceof Error && error.name === "AbortError");
}

function isAboutSettings(error: unknown): error is Speaking {
  return error instanceof Error && error.name === "SettingsError" && speaks(error);
}

/** Errors about settings and storages also have both languages. Their classes are not imported here: few commands load those packages. */
function textOf(error: unknown, language: Language): string {
  if (!(error instanceof Error)) return String(error);
  return speaks(error) ? error.in(language) : error.message;
}

type Speaking = Error & { in(language: Language): string };

function speaks(error: Error): error is Speaking {
  return "in" in error && typeof error.in === "function";
}

function refusalOf(
  { status, problem }: RefusedError,
  language: Language,
  url: string,
  app: HintsOfApp | undefined,
): ErrorDescription {
  if (!problem) {
    return {
      exitCode: EXIT.unreachable,
      message: say(WORDS.notAndon, language, { url, status }),
      hint: say(WORDS.unreachableHint, language),
    };
  }
  // `NOT_FOUND` means that the server does not have the route itself.
  const isAppMissing = app !== undefined && problem.error === "NOT_FOUND";
  const hint = isAppMissing ? NO_APP : (app?.hints?.[problem.error] ?? HINTS[problem.error]);
  return {
    exitCode: EXIT_OF_STATUS[status] ?? EXIT.refused,
    message: problem.message,
    code: problem.error,
    hint: hint && say(hint, language, { app: app?.name ?? "" }),
  };
}

/** The network error behind a failed `fetch`; undefined for any other error. */
function networkCause(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || error.message !== "fetch failed") return undefined;
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
