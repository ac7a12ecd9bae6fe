import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";

const TABLE = fileURLToPath(new URL("../../contract/src/routes/index.ts", import.meta.url));

type Table = Pick<typeof import("@andon/contract"), "ROUTES">;

/**
 * Gives the browser the table of routes without its schemas: the client sends by method, path, the names of the query
 * and whether there is a body. Made from the contract at every build, so that it cannot fall behind it.
 */
export function slimRoutes(): Plugin {
  return {
    name: "slim-routes",
    enforce: "pre",
    async load(id) {
      if (id !== TABLE) return undefined;
      const { module } = await runnerImport<Table>(TABLE);
      return `export const ROUTES = ${JSON.stringify(slim(module.ROUTES))};`;
    },
  };
}

function slim(table: Table["ROUTES"]): object {
  const groups = Object.entries(table).map(([group, routes]) => {
    const rows = Object.entries(routes as Record<string, Row>).map(([name, route]) => [name, slimRow(route)]);
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
