import { AndonError, type ErrorCode, isAndonError } from "@andon/contract/plain";
import { DestinationDown, Snooze, Unretryable } from "../../lifecycle/thrown.ts";

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
  const error = thrown instanceof Error ? thrown : new Error(described(thrown));
  return {
    meaning: meaningOf(error),
    name: String(error.name),
    message: String(error.message),
    stack: typeof error.stack === "string" ? error.stack : null,
    facts: factsOf(error),
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
  if (error instanceof Snooze) return { kind: "snooze", ms: error.ms };
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

/** Only what is small and surely JSON: some clients hang the whole request on their errors. */
function factsOf(error: Error): CarriedError["facts"] {
  const facts: Record<string, string | number | boolean> = {};
  const { code } = error as { code?: unknown };
  for (const [name, value] of [...Object.entries(error), ["code", code] as const]) {
    if (["name", "message", "stack"].includes(name)) continue;
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

function described(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "something that has no text was thrown";
  }
}

function set(error: Error, name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, name, { value, enumerable, configurable: true, writable: true });
}
