import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";

/** The file with the core's route tables. */
const CORE = fileURLToPath(new URL("../../contract/src/routes/index.ts", import.meta.url));

type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/**
 * Replaces the route tables in the browser by tables without schemas: the client needs only the method, the path, the names of
 * the query and whether there is a body. They are made from the contracts at every build, so they are never stale. The other
 * exports of a module of `folders` that exports tables are left out, because the browser does not use schemas.
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

/** Whether the value consists of groups of rows, each with a method and a path. */
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
