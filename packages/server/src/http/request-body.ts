import type { Route } from "@andon/contract";
import { schemaOf } from "./named-schemas.ts";

type Json = Record<string, unknown>;
type Named = (schema: Json, part: string) => Json;

/** The body of a route, for the document; undefined if the route has none. */
export function requestBodyOf(route: Route, named: Named): Json | undefined {
  if (route.takes === "multipart") return uploadOf(route, named);
  if (!route.body) return undefined;
  return {
    required: !route.body.safeParse(undefined).success,
    content: {
      "application/json": { schema: named(schemaOf(route.body, "input"), "Body") },
      ...(route.item
        ? { "application/x-ndjson": { schema: named(schemaOf(route.item, "input"), "Item") } }
        : {}),
    },
  };
}

/** The text fields come before the file, so that a handler that streams the file already knows its target. */
function uploadOf({ fields, fileField = "file", body }: Route, named: Named): Json {
  const { properties = {}, required = [] } = fields
    ? (schemaOf(fields, "input") as { properties?: Record<string, Json>; required?: string[] })
    : {};
  const file = { type: "string", format: "binary", contentMediaType: "application/octet-stream" };
  const schema = {
    type: "object",
    properties: { ...properties, [fileField]: file },
    required: [...required, fileField],
  };
  return {
    required: true,
    content: {
      "multipart/form-data": { schema: named(schema, "Upload") },
      ...(body ? { "application/json": { schema: named(schemaOf(body, "input"), "Body") } } : {}),
    },
  };
}
