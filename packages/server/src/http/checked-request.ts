import {
  AndonError,
  fieldsOf,
  type Language,
  type Localized,
  nearest,
  type Problem,
  type Route,
  shownDetail,
  withParticle,
} from "@andon/contract";
import type { FastifyRequest } from "fastify";
import * as z from "zod";

/** One invalid field, as in the `details` of VALIDATION_FAILED. */
export interface FieldProblem {
  in: "path" | "query" | "header" | "body" | "request";
  field: string;
  message: string | Localized;
}

/** The most fields that an answer names. A body can have nearly as many invalid fields as bytes. */
const MOST_FIELDS = 20;
/** The most characters of a field's name that are shown. */
const LONGEST_FIELD = 200;

const LOCALES = { ko: z.locales.ko().localeError, en: z.locales.en().localeError };

/** Checks one part of a request against its schema, and reports each invalid field. */
export function checkPart<S extends z.ZodType>(
  schema: S,
  given: unknown,
  part: FieldProblem["in"],
  language: Language,
): z.output<S> {
  let asked = 0;
  // Zod asks for a message for every issue, also for issues that are not shown.
  const words = {
    error: (issue: z.core.$ZodRawIssue) => (++asked > MOST_FIELDS ? "" : messageOf(issue, language)),
  };
  const result = schema.safeParse(given, words);
  if (result.success) return result.data;
  // For an absent part, report each required field as missing, which helps the caller more.
  const empty = given === undefined ? schema.safeParse({}, words) : result;
  const { issues } = (empty.success ? result : empty).error;
  const twice = part === "query" ? twiceGiven(given) : new Set<string>();
  const shown = issues
    .slice(0, MOST_FIELDS)
    .flatMap((issue) =>
      twice.has(String(issue.path[0]))
        ? [{ in: part, field: shortField(issue.path), message: TWICE }]
        : fieldProblems(schema, issue, part, language),
    );
  const found = issues.reduce((sum, issue) => sum + problemsIn(issue), 0);
  throw validationFailed(
    found > MOST_FIELDS ? [...shown.slice(0, MOST_FIELDS), { in: part, field: "", message: NOT_ALL }] : shown,
  );
}

function problemsIn(issue: z.core.$ZodIssue): number {
  return issue.code === "unrecognized_keys" ? issue.keys.length : 1;
}

function shortField(path: readonly PropertyKey[]): string {
  const field = path.map(String).join(".");
  return (field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field).toWellFormed();
}

const TWICE: Localized = { en: "it is given more than once", ko: "두 번 이상 있습니다" };
const NOT_ALL: Localized = {
  en: "and more: not all are listed",
  ko: "그 밖에도 있습니다. 모두 나열하지 않았습니다",
};
const UTC: Localized = {
  en: "a time in UTC, such as 2026-11-16T07:00:00Z",
  ko: "2026-11-16T07:00:00Z와 같은 UTC 시각이어야 합니다",
};

function twiceGiven(query: unknown): Set<string> {
  const repeated = Object.entries(query ?? {}).filter(([, value]) => Array.isArray(value));
  return new Set(repeated.map(([name]) => name));
}

/** The message of our own check, else Zod's message. */
function messageOf(issue: z.core.$ZodRawIssue, language: Language) {
  // Each unknown key is reported separately later. All keys in each message would make the answer grow quadratically.
  if (issue.code === "unrecognized_keys") return "";
  if (issue.code === "invalid_format" && issue.format === "datetime") return UTC[language];
  const said = issue.code === "custom" && shownDetail(issue.params, language);
  return typeof said === "string" ? said : LOCALES[language](issue);
}

export function validationFailed(fields: readonly FieldProblem[]): AndonError {
  const problemIn = (language: Language) =>
    fields
      .map(({ field, message }) => `${field && `${field}: `}${shownDetail(message, language)}`)
      .join("; ");
  return new AndonError("VALIDATION_FAILED", {
    problem: { en: problemIn("en"), ko: problemIn("ko") },
    fields,
  });
}

/** Adds the list of invalid fields as `details` to VALIDATION_FAILED. */
export function withFields(problem: Problem, { code, details }: AndonError, language: Language): Problem {
  if (code !== "VALIDATION_FAILED") return problem;
  const fields = (details.fields ?? []) as readonly FieldProblem[];
  return {
    ...problem,
    details: fields.map((field) => ({ ...field, message: shownDetail(field.message, language) })),
  };
}

function fieldProblems(
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  part: FieldProblem["in"],
  language: Language,
): FieldProblem[] {
  if (issue.code === "invalid_union" && schema instanceof z.ZodUnion)
    return [{ in: part, field: "", message: oneOf(schema) }];
  if (issue.code !== "unrecognized_keys")
    return [{ in: part, field: shortField(issue.path), message: issue.message }];
  const known = issue.path.length === 0 ? Object.keys(fieldsOf(schema) ?? {}) : [];
  return issue.keys.slice(0, MOST_FIELDS).map((key) => {
    const message = unknownKey(issue, key, language);
    return {
      in: part,
      field: shortField([...issue.path, key]),
      message: known.length > 0 ? `${message} (${HINTS[language](key, known)})` : message,
    };
  });
}

function unknownKey(issue: z.core.$ZodIssueUnrecognizedKeys, key: string, language: Language): string {
  const said = LOCALES[language]({ ...issue, keys: [shortField([key])] } as z.core.$ZodRawIssue);
  return typeof said === "string" ? said : (said?.message ?? "");
}

/** For a union Zod reports only that no option matches. */
function oneOf({ options }: z.ZodUnion): Localized {
  const names = options.flatMap((option) => Object.keys(fieldsOf(option as z.ZodType) ?? {})).join(", ");
  return { en: `exactly one of: ${names}`, ko: `다음 중 하나만 있어야 합니다: ${names}` };
}

/** Suggestions for use inside a sentence: without the full stop of the usual "did you mean". */
const HINTS: Readonly<Record<Language, (given: string, known: readonly string[]) => string>> = {
  en: (given, known) => {
    const guess = nearest(given, known);
    return guess ? `did you mean "${guess}"?` : `known: ${known.join(", ")}`;
  },
  ko: (given, known) => {
    const guess = nearest(given, known);
    return guess
      ? `${withParticle(`"${guess}"`, "을(를)")} 쓰려고 했나요?`
      : `쓸 수 있는 것: ${known.join(", ")}`;
  },
};

/** Refuses a body on a route without one, which would otherwise be ignored silently. */
export function refuseUnknownShape(request: FastifyRequest, route: Route): void {
  const { body } = request;
  const isEmpty =
    body === undefined || body === null || (typeof body === "object" && Object.keys(body).length === 0);
  if (!route.body && !route.takes && !isEmpty) {
    const message = { en: "this route takes no body", ko: "이 경로는 본문을 받지 않습니다" };
    throw validationFailed([{ in: "body", field: "", message }]);
  }
}
