import { AndonError, type ErrorCode, isAndonError } from "@andon/contract/plain";
import { codeIn, messageIn } from "../../lifecycle/causes.ts";
import { isError, readable, UNREADABLE } from "../../lifecycle/readable.ts";
import { DestinationDown, Snooze, snoozedFor, Unretryable } from "../../lifecycle/thrown.ts";

/** What an error means to the engine. A class is not carried, so its meaning is. */
type Meaning =
  | { kind: "unretryable" }
  | { kind: "destination-down" }
  | { kind: "snooze"; ms: number }
  | { kind: "andon"; code: ErrorCode; details: string }
  | { kind: "plain" };

export interface CarriedError {
  readonly meaning: Meaning;
  readonly name: string;
  readonly message: string;
  readonly stack: string | null;
  /** `code`, `errno`, `status` and the like: a queue's `classify` reads them. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** An error as JSON, to be thrown again on the other side. */
export function carry(thrown: unknown): CarriedError {
  const error = isError(thrown) ? thrown : new Error(readable(() => String(thrown), UNREADABLE));
  return {
    meaning: readable(() => meaningOf(error), { kind: "plain" }),
    name: readable(() => String(error.name), "Error"),
    // What caused it stays behind, so that its words and its code go with the error itself.
    message: messageIn(error),
    stack: readable(() => (typeof error.stack === "string" ? error.stack : null), null),
    facts: { ...codeOf(error), ...factsOf(error) },
  };
}

export function uncarry(carried: CarriedError): Error {
  const error = ofMeaning(carried);
  for (const [name, value] of Object.entries(carried.facts)) set(error, name, value, true);
  if (error.name !== carried.name) set(error, "name", carried.name, false);
  if (carried.stack !== null) set(error, "stack", carried.stack, false);
  return error;
}

function meaningOf(error: Error): Meaning {
  if (error instanceof Unretryable) return { kind: "unretryable" };
  if (error instanceof DestinationDown) return { kind: "destination-down" };
  const ms = snoozedFor(error);
  if (ms !== undefined) return { kind: "snooze", ms };
  if (isAndonError(error)) return { kind: "andon", code: error.code, details: detailsOf(error) };
  return { kind: "plain" };
}

function ofMeaning({ meaning, message }: CarriedError): Error {
  switch (meaning.kind) {
    case "unretryable":
      return new Unretryable(message);
    case "destination-down":
      return new DestinationDown(message);
    case "snooze":
      return new Snooze(meaning.ms);
    case "andon":
      return new AndonError(meaning.code, JSON.parse(meaning.details));
    case "plain":
      return new Error(message);
  }
}

function codeOf(error: Error): { code?: string } {
  const code = codeIn(error);
  return code === undefined ? {} : { code };
}

/** Only what is small and surely JSON: some clients hang the whole request on their errors. */
function factsOf(error: Error): CarriedError["facts"] {
  const facts: Record<string, string | number | boolean> = {};
  for (const name of [...readable(() => Object.keys(error), []), "code"]) {
    if (["name", "message", "stack"].includes(name)) continue;
    const value = readable(() => (error as unknown as Record<string, unknown>)[name], undefined);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      facts[name] = value;
  }
  return facts;
}

function detailsOf(error: AndonError): string {
  try {
    return JSON.stringify(error.details);
  } catch {
    return "{}";
  }
}

function set(error: Error, name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, name, { value, enumerable, configurable: true, writable: true });
}
