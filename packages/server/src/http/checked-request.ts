import {
  AndonError,
  fieldsOf,
  type Language,
  type Localised,
  nearest,
  type Problem,
  type Route,
  shownDetail,
} from "@andon/contract";
import type { FastifyRequest } from "fastify";
import * as z from "zod";

/** One field that does not fit, as `details` of VALIDATION_FAILED show it. */
export interface FieldProblem {
  in: "path" | "query" | "header" | "body" | "request";
  field: string;
  message: string | Localised;
}

const LOCALES = { ko: z.locales.ko().localeError, en: z.locales.en().localeError };

/** Checks one part of a request by its schema; what does not fit is named field by field. */
export function checkPart<S extends z.ZodType>(
  schema: S,
  given: unknown,
  part: FieldProblem["in"],
  language: Language,
): z.output<S> {
  const words = { error: (issue: z.core.$ZodRawIssue) => messageOf(issue, language) };
  const result = schema.safeParse(given, words);
  if (result.success) return result.data;
  // What is not there at all lacks each field that it has to have: that is what the caller wants to hear.
  const empty = given === undefined ? schema.safeParse({}, words) : result;
  const { issues } = (empty.success ? result : empty).error;
  throw validationFailed(issues.flatMap((issue) => fieldProblems(schema, issue, part, language)));
}

/** What a check of our own says, else what Zod says. */
function messageOf(issue: z.core.$ZodRawIssue, language: Language) {
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

/** A request that does not fit shows the list of its fields as `details`. */
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
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys")
    return [{ in: part, field: path.join("."), message: issue.message }];
  const known = path.length === 0 ? Object.keys(fieldsOf(schema) ?? {}) : [];
  return issue.keys.map((key) => ({
    in: part,
    field: [...path, key].join("."),
    message: known.length > 0 ? `${issue.message} (${HINTS[language](key, known)})` : issue.message,
  }));
}

/** Inside a sentence, where the full stops of "did you mean" would be too many. */
const HINTS: Readonly<Record<Language, (given: string, known: readonly string[]) => string>> = {
  en: (given, known) => {
    const guess = nearest(given, known);
    return guess ? `did you mean "${guess}"?` : `known: ${known.join(", ")}`;
  },
  ko: (given, known) => {
    const guess = nearest(given, known);
    return guess ? `"${guess}"을(를) 쓰려고 했나요?` : `쓸 수 있는 것: ${known.join(", ")}`;
  },
};

/** A body where the route takes none would be ignored in silence. */
export function refuseUnknownShape(request: FastifyRequest, route: Route): void {
  const { body } = request;
  const isEmpty =
    body === undefined || body === null || (typeof body === "object" && Object.keys(body).length === 0);
  if (!route.body && !route.takes && !isEmpty) {
    const message = { en: "this route takes no body", ko: "이 경로는 본문을 받지 않습니다" };
    throw validationFailed([{ in: "body", field: "", message }]);
  }
}
