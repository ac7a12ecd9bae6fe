import type * as z from "zod";
import { didYouMean } from "./did-you-mean.ts";
import { AndonError } from "./errors.ts";

/**
 * Parses options by their schema. An unknown key gets "did you mean"; a bad value names the option, what was given and
 * what is allowed. Every options object of the project goes through here, so that the messages read alike.
 */
export function checkedOptions<S extends z.ZodObject>(where: string, schema: S, given: unknown): z.output<S> {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const option = [...issue.path, issue.keys[0]].join(".");
    const known = Object.keys(shapeAt(schema, issue.path));
    throw new AndonError("UNKNOWN_OPTION", { where, option, hint: didYouMean(issue.keys[0] ?? "", known) });
  }
  const path = (issue?.path ?? []).map(String);
  throw new AndonError("INVALID_OPTION", {
    where,
    option: path.join(".") || "value",
    given: JSON.stringify(valueAt(given, path)) ?? "missing",
    allowed: issue?.message ?? "see the reference",
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}

function shapeAt(schema: z.ZodType, path: readonly PropertyKey[]): Record<string, z.ZodType> {
  let at: z.ZodType | undefined = schema;
  for (const key of path) at = elementOf(at) ?? fieldsOf(at)?.[String(key)];
  return fieldsOf(at) ?? {};
}

/** What a list holds, looking through optional and default wrappers. */
function elementOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const definition = schema?.def as { element?: z.ZodType; innerType?: z.ZodType } | undefined;
  return definition && (definition.element ?? elementOf(definition.innerType));
}

/** The fields of an object schema, looking through optional, default and union wrappers. */
export function fieldsOf(schema: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  const definition = schema?.def as {
    shape?: Record<string, z.ZodType>;
    innerType?: z.ZodType;
    options?: z.ZodType[];
  };
  if (!definition) return undefined;
  if (definition.shape) return definition.shape;
  if (definition.options) return definition.options.map(fieldsOf).find(Boolean);
  return fieldsOf(definition.innerType);
}
