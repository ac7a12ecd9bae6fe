import * as z from "zod";

type Json = Record<string, unknown>;

export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}

/** Schemas by name, so that generated clients have readable types. Equal schemas share one name. */
export class NamedSchemas {
  readonly all: Record<string, Json> = {};
  readonly #names = new Map<string, string>();

  /** A reference to this schema, such as `QueuesResumeAnswer`; or the name of an equal schema of an earlier route. */
  name(group: string, route: string, part: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const name = this.#names.get(text) ?? `${capital(group)}${capital(route)}${part}`;
    this.#names.set(text, name);
    this.all[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
