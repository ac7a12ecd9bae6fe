import { AndonError, type ErrorEntry, isAndonError, type Localized } from "@andon/contract/plain";
import { codeIn, messageIn, textsIn } from "../../lifecycle/causes.ts";
import { isError, safeRead, UNREADABLE } from "../../lifecycle/safe-read.ts";
import { DestinationDown, Park, parkedFor, Snooze, snoozedFor, Unretryable } from "../../lifecycle/thrown.ts";

/** What an error means to the engine: its class cannot be transferred, so its meaning is. */
type Meaning =
  | { kind: "unretryable" }
  | { kind: "destination-down" }
  | { kind: "snooze"; ms: number }
  | { kind: "park"; event: string; until: number | string | null }
  | { kind: "andon"; code: string; details: string; entry: ErrorEntry }
  | { kind: "plain" };

export interface CarriedError {
  readonly meaning: Meaning;
  readonly name: string;
  readonly message: string;
  /** The message in both languages, if the error has it. */
  readonly texts?: Localized | undefined;
  readonly stack: string | null;
  /** `code`, `errno`, `status` and the like: a queue's `classify` reads them. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** An error as JSON, to be thrown again on the other side. */
export function carry(thrown: unknown): CarriedError {
  const error = isError(thrown) ? thrown : new Error(safeRead(() => String(thrown), UNREADABLE));
  return {
    meaning: safeRead(() => meaningOf(error), { kind: "plain" }),
    name: safeRead(() => String(error.name), "Error"),
    // Causes are not transferred, so their messages and codes go with the error itself.
    message: messageIn(error),
    texts: textsIn(error),
    stack: safeRead(() => (typeof error.stack === "string" ? error.stack : null), null),
    facts: { ...codeOf(error), ...factsOf(error) },
  };
}

export function uncarry(carried: CarriedError): Error {
  const error = ofMeaning(carried);
  for (const [name, value] of Object.entries(carried.facts)) set(error, name, value, true);
  if (error.name !== carried.name) set(error, "name", carried.name, false);
  if (carried.texts && carried.meaning.kind !== "andon") set(error, "localized", carried.texts, false);
  if (carried.stack !== null) set(error, "stack", carried.stack, false);
  return error;
}

function meaningOf(error: Error): Meaning {
  if (error instanceof Unretryable) return { kind: "unretryable" };
  if (error instanceof DestinationDown) return { kind: "destination-down" };
  const ms = snoozedFor(error);
  if (ms !== undefined) return { kind: "snooze", ms };
  const park = parkedFor(error);
  if (park) {
    const { until = null } = park.options;
    return { kind: "park", event: park.event, until: until instanceof Date ? until.getTime() : until };
  }
  if (isAndonError(error))
    return { kind: "andon", code: error.code, details: detailsOf(error), entry: error.entry };
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
    case "park":
      return new Park(meaning.event, { until: meaning.until ?? undefined });
    case "andon":
      return new AndonError(meaning.code, JSON.parse(meaning.details), { entry: meaning.entry });
    case "plain":
      return new Error(message);
  }
}

function codeOf(error: Error): { code?: string } {
  const code = codeIn(error);
  return code === undefined ? {} : { code };
}

/** Only primitive values, which are small and JSON: some clients attach the whole request to their errors. */
function factsOf(error: Error): CarriedError["facts"] {
  const facts: Record<string, string | number | boolean> = {};
  for (const name of [...safeRead(() => Object.keys(error), []), "code"]) {
    if (["name", "message", "stack"].includes(name)) continue;
    const value = safeRead(() => (error as unknown as Record<string, unknown>)[name], undefined);
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
