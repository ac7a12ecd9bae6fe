import { guessFor, type Language, type Localized, shownAddress, shownDetail } from "@andon/contract";
import type * as z from "zod";

import { AND_ALLOWED, GIVEN, givenValue, inBoth, JOINED, KINDS, LIMITS, LINES } from "./problem-messages.ts";

/** One problem in the settings. */
export interface SettingProblem {
  /** The file's name, or `environment`. */
  readonly where: string;
  /** The key or the variable; empty for a problem of the whole file. */
  readonly key: string;
  readonly text: Localized;
}

/** Settings that cannot be used, with all their problems. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(linesOf(problems, "en").join("\n"));
    this.problems = problems;
  }

  /** A line for each problem. */
  lines(language: Language): string[] {
    return linesOf(this.problems, language);
  }

  in(language: Language): string {
    return this.lines(language).join("\n");
  }
}

function linesOf(problems: readonly SettingProblem[], language: Language): string[] {
  return problems.map(({ where, key, text }) => LINES[language](where, key, text[language]));
}

/** The problems of one issue: for each key, the given value and the allowed values. */
export function problemsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  given: unknown,
): { path: string[]; text: Localized }[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path, given);
    return issue.keys.map((key) => {
      const { en, ko } = guessFor(key, known);
      const text = { en: `is not a known key. ${en}`, ko: `알 수 없는 키입니다. ${ko}` };
      return { path: [...path, key], text };
    });
  }
  const deeper = issue.code === "invalid_union" ? nearestOption(issue.errors) : undefined;
  if (deeper) {
    return deeper.flatMap((inner) =>
      problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema, given),
    );
  }
  const found = issue.code === "invalid_key" ? GIVEN.badName : shown(path, valueAt(given, path));
  const text = inBoth((language) => found[language] + AND_ALLOWED[language] + allowed(issue, language));
  return [{ path, text }];
}

/** The option of a union of objects that fits best, if the value is an object. */
function nearestOption(options: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const objects = options.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || "keys" in issue),
  );
  return objects.sort((a, b) => a.length - b.length)[0];
}

function allowed(issue: z.core.$ZodIssue, language: Language): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected]?.[language] ?? issue.expected;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(", ");
    case "too_small":
      return LIMITS[language]("least", issue.minimum, issue.origin);
    case "too_big":
      return LIMITS[language]("most", issue.maximum, issue.origin);
    case "invalid_key":
      return issue.issues.map((inner) => allowed(inner, language)).join(JOINED.and[language]);
    case "invalid_union":
      return unionAllowed(issue, language);
    case "custom":
      return String(shownDetail(issue.params, language) ?? issue.message);
    default:
      return issue.message;
  }
}

function unionAllowed(issue: z.core.$ZodIssueInvalidUnion, language: Language): string {
  const { options } = issue as { options?: readonly unknown[] };
  if (issue.errors.length === 0 && options) return options.map((value) => JSON.stringify(value)).join(", ");
  const each = issue.errors.map((issues) => issues.map((inner) => allowed(inner, language)).join(", "));
  return each.join(JOINED.or[language]);
}

/** Keys with secret values: a mistake in one of them must not write it to a log. */
const SECRET = /(secret|password|token|apiKey|^smtp)$/i;
const LONGEST_SHOWN = 100;

function shown(path: readonly string[], value: unknown): Localized {
  if (value === undefined) return GIVEN.missing;
  const key = path.at(-1) ?? "";
  // The address of a channel often carries its key in the path.
  const isSecret = path.some((part) => SECRET.test(part)) || (path[0] === "alerts" && key === "url");
  if (isSecret) return GIVEN.secret;
  const kind = kindOf(value);
  const whole = typeof value === "string" ? JSON.stringify(shownAddress(value)) : String(value);
  const text = whole.length > LONGEST_SHOWN ? `${whole.slice(0, LONGEST_SHOWN)}…` : whole;
  return inBoth((language) => givenValue[language](kind?.[language] ?? text));
}

/** The kind of a value that is too large to show. */
function kindOf(value: unknown): Localized | undefined {
  if (Array.isArray(value)) return KINDS.array;
  const isNamed = typeof value === "function" || (typeof value === "object" && value !== null);
  return isNamed ? KINDS[typeof value] : undefined;
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined | null)?.[key], value);
}

interface Definition {
  readonly shape?: Record<string, z.ZodType>;
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
}

/** The keys that an object at this path may have. */
function keysAt(schema: z.ZodType, path: readonly string[], given: unknown): string[] {
  let at: Definition | undefined = definitionOf(schema, given);
  let value = given;
  for (const key of path) {
    value = valueAt(value, [key]);
    const next: z.ZodType | undefined = at?.shape?.[key] ?? at?.valueType ?? at?.element;
    at = next && definitionOf(next, value);
  }
  return Object.keys(at?.shape ?? {});
}

/** The schema below its wrappers. For a union, the option that the value selects, else the option that is an object. */
function definitionOf(schema: z.ZodType, value: unknown): Definition {
  const definition = schema.def as Definition;
  if (definition.innerType) return definitionOf(definition.innerType, value);
  if (!definition.options) return definition;
  const { discriminator } = definition;
  const named = definition.options.find((option) => {
    const { shape } = definitionOf(option, value);
    if (!discriminator) return shape !== undefined;
    return shape?.[discriminator]?.safeParse(valueAt(value, [discriminator])).success ?? false;
  });
  return definitionOf((named ?? definition.options[0]) as z.ZodType, value);
}
