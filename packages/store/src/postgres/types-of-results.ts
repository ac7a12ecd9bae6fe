import pg from "pg";

const INT8 = 20;
const INT8_ARRAY = 1016;

type Parse = (value: string) => unknown;

/** Numbers of the store stay below 2^53, so they are plain numbers on both databases. */
export const STORE_TYPES = reading(new Map<number, Parse>([[INT8, Number]]));

/** A caller's integers may be larger: those that a number cannot hold become bigints. */
export const CALLERS_TYPES = reading(
  new Map<number, Parse>([
    [INT8, exact],
    [INT8_ARRAY, (value) => exactIn(pg.types.getTypeParser(INT8_ARRAY as never)(value))],
  ]),
);

function reading(own: ReadonlyMap<number, Parse>): pg.CustomTypesConfig {
  return {
    getTypeParser: (oid, format) =>
      ((format !== "binary" && own.get(oid)) || pg.types.getTypeParser(oid, format as "text")) as never,
  };
}

function exact(value: string): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

/** The driver parses an array of large integers, which may be nested, as an array of texts. */
function exactIn(values: unknown): unknown {
  if (Array.isArray(values)) return values.map(exactIn);
  return typeof values === "string" ? exact(values) : values;
}
