import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";

/** Where the core's table of routes lies. */
const CORE = fileURLToPath(new URL("../../contract/src/routes/index.ts", import.meta.url));

type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/**
 * Gives the browser the tables of routes without their schemas: the client sends by method, path, the names of the query
 * and whether there is a body. Made from the contracts at every build, so that it cannot fall behind them. Of a module of
 * `folders` that exports tables, the other exports are left out: the browser has no use for schemas.
 */
export function slimRoutes(folders: readonly string[]): Plugin {
  const homes = folders.map((folder) => `${folder}/`);
  return {
    name: "slim-routes",
    enforce: "pre",
    async load(id) {
      if (id !== CORE && !homes.some((home) => id.startsWith(home))) return undefined;
      const { module } = await runnerImport<Record<string, unknown>>(id);
      const tables = Object.entries(module).filter((entry): entry is [string, Table] => isTable(entry[1]));
      if (tables.length === 0) return undefined;
      return tables
        .map(([name, table]) => `export const ${name} = ${JSON.stringify(slim(table))};`)
        .join("\n");
    },
  };
}

/** Groups of rows, each with a method and a path. */
function isTable(value: unknown): value is Table {
  const groups = membersOf(value);
  const rows = groups?.flatMap((group) => membersOf(group) ?? [undefined]);
  return rows !== undefined && rows.length > 0 && rows.every(isRow);
}

function membersOf(value: unknown): unknown[] | undefined {
  return typeof value === "object" && value !== null ? Object.values(value) : undefined;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && "method" in value && "path" in value;
}

function slim(table: Table): object {
  const groups = Object.entries(table).map(([group, routes]) => {
    const rows = Object.entries(routes).map(([name, route]) => [name, slimRow(route)]);
    return [group, Object.fromEntries(rows)];
  });
  return Object.fromEntries(groups);
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly query: { readonly shape: object };
  readonly body?: unknown;
  readonly media?: string;
}

function slimRow({ method, path, query, body, media }: Row): object {
  const shape = Object.fromEntries(Object.keys(query.shape).map((name) => [name, true]));
  return { method, path, query: { shape }, ...(body ? { body: true } : {}), ...(media ? { media } : {}) };
}
