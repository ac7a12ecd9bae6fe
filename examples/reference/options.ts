/** The options of an object schema, as rows of a reference page. */
import { code } from "./pages.ts";

interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly defaultValue?: unknown;
  readonly shape?: Record<string, Schema>;
  readonly options?: readonly Schema[];
  readonly entries?: Record<string, string>;
  readonly values?: readonly unknown[];
}
export interface Schema {
  readonly description?: string | undefined;
  readonly def: Definition;
}

interface Option {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string;
  readonly preset: string;
}

/** The options of a shape, including those of nested objects, by dotted name. */
export function optionsOf(shape: Record<string, Schema>, prefix = ""): Option[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { inner, preset } = unwrapped(schema);
    const own = { name: prefix + name, meaning: schema.description ?? inner.description ?? "" };
    const members = membersOf(inner);
    if (members) return [{ ...own, unit: unitOf(inner), preset: "" }, ...optionsOf(members, `${own.name}.`)];
    const unit = unitOf(inner);
    return [{ ...own, unit, preset: preset === undefined ? "" : code(shown(preset, unit)) }];
  });
}

/** An object's own members, also if the object is one option of a union. */
function membersOf({ def }: Schema): Record<string, Schema> | undefined {
  return def.shape ?? def.options?.find((option) => option.def.shape)?.def.shape;
}

function unwrapped(schema: Schema): { inner: Schema; preset: unknown } {
  let preset: unknown;
  let inner = schema;
  while (inner.def.innerType) {
    if (inner.def.type === "default") preset = inner.def.defaultValue;
    inner = inner.def.innerType;
  }
  return { inner, preset };
}

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** A default as people write it: milliseconds become the largest unit that divides them. */
function shown(preset: unknown, unit: string): string {
  const ms = unit === DURATION && typeof preset === "number" ? preset : 0;
  const fits = Object.entries(UNITS).find(([, length]) => ms > 0 && ms % length === 0);
  return JSON.stringify(fits ? `${ms / fits[1]}${fits[0]}` : preset);
}

const DURATION = "duration";

function unitOf({ def }: Schema): string {
  if (def.type === "pipe") return DURATION;
  if (def.type === "literal") return (def.values ?? []).map((value) => code(String(value))).join(", ");
  if (def.type === "enum")
    return Object.values(def.entries ?? {})
      .map(code)
      .join(", ");
  if (def.type === "union") return [...new Set((def.options ?? []).map(unitOf))].join(", ");
  return def.type === "custom" ? "function" : def.type;
}
