import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../contract/src/routes/${name}.ts`, import.meta.url));

/** Tables of routes by the module that brings them, and what else that module hands on. */
const TABLES: Readonly<Record<string, { readonly table: string; readonly rest: string }>> = {
  [fileOf("index")]: { table: "ROUTES", rest: 'export { VAULT_ROUTES } from "./vault.ts";' },
  // A module of its own, so that it comes with the rooms that need it.
  [fileOf("vault")]: { table: "VAULT_ROUTES", rest: "" },
};

type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/**
 * Gives the browser the tables of routes without their schemas: the client sends by method, path, the names of the query
 * and whether there is a body. Made from the contract at every build, so that it cannot fall behind it.
 */
export function slimRoutes(): Plugin {
  return {
    name: "slim-routes",
    enforce: "pre",
    async load(id) {
      const found = TABLES[id];
      if (!found) return undefined;
      const { module } = await runnerImport<Record<string, Table>>(id);
      const slimmed = JSON.stringify(slim(module[found.table] ?? {}));
      return `export const ${found.table} = ${slimmed};\n${found.rest}`;
    },
  };
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
