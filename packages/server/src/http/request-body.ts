import type { Route } from "@andon/contract";
import { schemaOf } from "./named-schemas.ts";

type Json = Record<string, unknown>;
type Named = (schema: Json, part: string) => Json;

/** What a route takes as its body, for the document; undefined where it takes none. */
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

/** The text fields come first: whoever reads the file as it comes knows by then where it goes. */
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
