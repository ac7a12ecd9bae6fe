import { createHash } from "node:crypto";

/** A statement with named parameters, compiled for a dialect's placeholders. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly string[];
  /** Short and stable: the server-side name of the prepared statement. */
  readonly name: string;
  /** Returns rows as arrays instead of objects, for wide rows of a hot statement. */
  readonly rowMode?: "array";
}

export type Values = Readonly<Record<string, unknown>>;

/** Replaces `@name` by the placeholder of the dialect (`$1` or `?1`), one number per name. */
export function compile(source: string, mark: "$" | "?"): Statement {
  const parameters: string[] = [];
  const text = source.replace(/@(\w+)/g, (_, name: string) => {
    let index = parameters.indexOf(name);
    if (index < 0) index = parameters.push(name) - 1;
    return `${mark}${index + 1}`;
  });
  return { text, parameters, name: `andon_${createHash("sha1").update(text).digest("hex").slice(0, 16)}` };
}

/** For PostgreSQL: the driver fills an object column by column, which becomes a hash table at about twenty columns. */
export function inArrays(statement: Statement): Statement {
  return { ...statement, rowMode: "array" };
}

export function bind(statement: Statement, values: Values): unknown[] {
  return statement.parameters.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for @${name} in: ${statement.text}`);
    return value;
  });
}
