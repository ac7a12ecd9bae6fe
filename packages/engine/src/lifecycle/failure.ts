import { createHash } from "node:crypto";
import {
  FAILURE_POLICIES,
  type FailureFacts,
  type FailurePolicy,
  type Fault,
  type JobError,
  type Localized,
  type QueueRules,
} from "@andon/contract";
import { codeIn, messageIn, textOf, textsIn } from "./causes.ts";
import { isError, safeRead } from "./safe-read.ts";
import { DestinationDown, Unretryable } from "./thrown.ts";

export interface Failure extends FailureFacts {
  /** The message in both languages, if the error has both. */
  readonly texts?: Localized;
  readonly stack: string | null;
  readonly fault: Fault;
  readonly retryable: boolean;
  /** Equal for errors that differ only in numbers, ids, paths and quoted names: one line per cause in a list. */
  readonly fingerprint: string;
}

const LONGEST_CODE = 100;
const LONGEST_MESSAGE = 4_000;
const LONGEST_STACK = 16_000;

export function failureOf(thrown: unknown, rules: Pick<QueueRules, "classify">): Failure {
  const error = isError(thrown) ? thrown : new Error(textOf(thrown));
  const texts = storableTexts(textsIn(error));
  // The fingerprint and the log use the English text, so that a cause has one fingerprint in every language.
  const facts = { code: codeOf(error), message: texts?.en ?? messageOf(error), error: thrown };
  return {
    ...facts,
    ...(texts ? { texts } : {}),
    stack: stackOf(error),
    fault: classified(facts, rules),
    retryable: !safeRead(() => error instanceof Unretryable, false),
    fingerprint: fingerprintOf(facts.code, facts.message),
  };
}

/** A failure that no handler threw. */
export function namedFailure(
  code: string,
  message: string | Localized,
  retryable: boolean,
  rules?: Pick<QueueRules, "classify">,
): Failure {
  const texts = typeof message === "string" ? undefined : storableTexts(message);
  const facts = { code, message: storable(texts?.en ?? String(message), LONGEST_MESSAGE) };
  const fault = rules ? classified(facts, rules) : "job";
  return {
    ...facts,
    ...(texts ? { texts } : {}),
    stack: null,
    fault,
    retryable,
    fingerprint: fingerprintOf(code, facts.message),
  };
}

/** A failure as the job's row keeps it. */
export function errorOf({ code, message, fingerprint, texts }: Failure): JobError {
  return { code, message, fingerprint, ...(texts ? { texts } : {}) };
}

const POLICIES: readonly unknown[] = FAILURE_POLICIES;

/**
 * What the final failure does to the queue. If `onFinalFailure` throws or returns an unknown policy, the queue stops,
 * since a person has to look.
 */
export function policyFor(
  failure: Failure,
  job: { id: string; name: string },
  rules: QueueRules,
): FailurePolicy {
  const chosen = chosenPolicy(failure, job, rules);
  if (chosen === "auto") return failure.fault === "destination" ? "stop-queue" : "hold-lane";
  return POLICIES.includes(chosen) ? chosen : "stop-queue";
}

function chosenPolicy(
  failure: Failure,
  job: { id: string; name: string },
  rules: QueueRules,
): FailurePolicy | "auto" {
  if (typeof rules.onFinalFailure !== "function") return rules.onFinalFailure;
  try {
    return rules.onFinalFailure(failure, job);
  } catch {
    return "stop-queue";
  }
}

/** If `classify` throws, the fault counts as the job's. */
function classified(facts: FailureFacts, rules: Pick<QueueRules, "classify">): Fault {
  if (!rules.classify)
    return safeRead(() => facts.error instanceof DestinationDown, false) ? "destination" : "job";
  try {
    return rules.classify(facts);
  } catch {
    return "job";
  }
}

function codeOf(error: Error): string {
  const code = codeIn(error) ?? safeRead(() => textOf(error.name), "Error");
  return storable(code, LONGEST_CODE) || "Error";
}

/** The message of an error, or the text of any other thrown value. */
export function messageOf(thrown: unknown): string {
  return storable(isError(thrown) ? messageIn(thrown) : textOf(thrown), LONGEST_MESSAGE);
}

/** A stack is computed when it is first read, possibly by a custom `prepareStackTrace`, and may throw. */
function stackOf(error: Error): string | null {
  return safeRead(() => (error.stack ? storable(textOf(error.stack), LONGEST_STACK) : null), null);
}

/**
 * PostgreSQL refuses NUL and unpaired surrogates in text; the text of an error must not prevent its failure from being
 * recorded.
 */
function storable(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll("\u0000", "\u2400").toWellFormed();
}

function storableTexts(texts: Localized | undefined): Localized | undefined {
  return texts && { en: storable(texts.en, LONGEST_MESSAGE), ko: storable(texts.ko, LONGEST_MESSAGE) };
}

function fingerprintOf(code: string, message: string): string {
  const shape = message
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<id>")
    .replace(/(["'`]).*?\1/g, "<name>")
    .replace(/\/[^\s:,)]+/g, "<path>")
    .replace(/\d+/g, "<n>");
  return createHash("sha256").update(`${code}\n${shape}`).digest("hex").slice(0, 16);
}
