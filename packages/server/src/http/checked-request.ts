import { AndonError, didYouMean, fieldsOf, type Language, type Problem, type Route } from "@andon/contract";
import type { FastifyRequest } from "fastify";
import * as z from "zod";

/** One field that does not fit, as `details` of VALIDATION_FAILED show it. */
export interface FieldProblem {
  in: "path" | "query" | "body";
  field: string;
  message: string;
}

const localised = { ko: z.locales.ko().localeError, en: z.locales.en().localeError };

/** Checks one part of a request by its schema; what does not fit is named field by field. */
export function checkPart<S extends z.ZodType>(
  schema: S,
  given: unknown,
  part: "path" | "query" | "body",
  language: Language,
): z.output<S> {
  const result = schema.safeParse(given, { error: localised[language] });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues.flatMap((issue) => fieldProblems(schema, issue, part)));
}

export function validationFailed(fields: readonly FieldProblem[]): AndonError {
  const problem = fields.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join("; ");
  return new AndonError("VALIDATION_FAILED", { problem, fields });
}

/** A request that does not fit shows the list of its fields as `details`. */
export function withFields(problem: Problem, { code, details }: AndonError): Problem {
  return code === "VALIDATION_FAILED" ? { ...problem, details: details.fields ?? [] } : problem;
}

function fieldProblems(schema: z.ZodType, issue: z.core.$ZodIssue, part: FieldProblem["in"]): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys")
    return [{ in: part, field: path.join("."), message: issue.message }];
  const known = path.length === 0 ? Object.keys(fieldsOf(schema) ?? {}) : [];
  return issue.keys.map((key) => ({
    in: part,
    field: [...path, key].join("."),
    message: known.length > 0 ? `${issue.message} ${didYouMean(key, known)}` : issue.message,
  }));
}

/** A body where the route takes none would be ignored in silence. */
export function refuseUnknownShape(request: FastifyRequest, route: Route): void {
  const { body } = request;
  const isEmpty =
    body === undefined || body === null || (typeof body === "object" && Object.keys(body).length === 0);
  if (!route.body && !route.takes && !isEmpty) {
    throw validationFailed([{ in: "body", field: "", message: "this route takes no body" }]);
  }
}
