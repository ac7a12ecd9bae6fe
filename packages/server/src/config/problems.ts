import { didYouMean } from "@andon/contract";
import type * as z from "zod";
import { shownAddress } from "./addresses.ts";

/** One thing that is wrong with the settings. */
export interface SettingProblem {
  /** The file's name, or `environment`. */
  readonly where: string;
  /** The key or the variable; empty where it concerns the whole. */
  readonly key: string;
  readonly text: string;
}

/** Settings that cannot be used, with everything that is wrong with them. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ where, key, text }) => `${where}: ${key ? `${key} ` : ""}${text}`).join("\n"));
    this.problems = problems;
  }
}

/** The problems of one issue: a key each, what was given, what is allowed. */
export function problemsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  given: unknown,
): { path: string[]; text: string }[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path, given);
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `is not a known key. ${didYouMean(key, known)}`,
    }));
  }
  const deeper = issue.code === "invalid_union" ? nearestOption(issue.errors) : undefined;
  if (deeper) {
    return deeper.flatMap((inner) =>
      problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema, given),
    );
  }
  if (issue.code === "invalid_key")
    return [{ path, text: `is not a name that can be used here; allowed: ${allowed(issue)}` }];
  return [{ path, text: `is ${shown(path, valueAt(given, path))}; allowed: ${allowed(issue)}` }];
}

/** Of a union of objects the option that fits best, where the value is an object at all. */
function nearestOption(options: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const objects = options.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || "keys" in issue),
  );
  return objects.sort((a, b) => a.length - b.length)[0];
}

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  URL: "the URL of a module",
};

function allowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(", ");
    case "too_small":
      return sized("at least", issue.minimum, issue.origin);
    case "too_big":
      return sized("at most", issue.maximum, issue.origin);
    case "invalid_key":
      return issue.issues.map(allowed).join(", and ");
    case "invalid_union":
      return unionAllowed(issue);
    default:
      return issue.message;
  }
}

const SIZES: Record<string, string> = { string: " characters", array: " entries" };

function sized(bound: string, limit: number | bigint, origin: string): string {
  return `${bound} ${limit}${SIZES[origin] ?? ""}`;
}

function unionAllowed(issue: z.core.$ZodIssueInvalidUnion): string {
  const { options } = issue as { options?: readonly unknown[] };
  if (issue.errors.length === 0 && options) return options.map((value) => JSON.stringify(value)).join(", ");
  return issue.errors.map((issues) => issues.map(allowed).join(", ")).join(", or ");
}

/** Keys whose values nobody may see: a mistake in one of them must not put it into a log. */
const SECRET = /^(adminToken|secret|password|token|apiKey|smtp)$/;
const LONGEST_SHOWN = 100;

function shown(path: readonly string[], value: unknown): string {
  if (value === undefined) return "missing";
  const key = path.at(-1) ?? "";
  // The address of a channel often carries its key in the path.
  const isSecret = path.some((part) => SECRET.test(part)) || (path[0] === "alerts" && key === "url");
  if (isSecret) return "not shown";
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(shownAddress(value)) : String(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
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

/** What a schema is below its wrappers; of a union the option that the value names. */
function definitionOf(schema: z.ZodType, value: unknown): Definition {
  const definition = schema.def as Definition;
  if (definition.innerType) return definitionOf(definition.innerType, value);
  if (!definition.options) return definition;
  const { discriminator } = definition;
  const named = definition.options.find((option) => {
    const kind = discriminator && definitionOf(option, value).shape?.[discriminator];
    return kind ? kind.safeParse(valueAt(value, [discriminator as string])).success : false;
  });
  return definitionOf((named ?? definition.options[0]) as z.ZodType, value);
}
