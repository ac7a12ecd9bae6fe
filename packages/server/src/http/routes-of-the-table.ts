import type { Route, RouteTable } from "@andon/contract";
import type { FastifyInstance } from "fastify";
import { pathsOfRoute, type QueueAliases } from "./route-paths.ts";

/**
 * Closed by default: a route that is in no table cannot be mounted. A plugin's own routes belong to the row of the table
 * whose path they are below (`/docs/*`).
 */
export function refuseOtherRoutes(
  app: FastifyInstance,
  tables: readonly RouteTable[],
  aliases: QueueAliases,
): void {
  const known = new Map<string, Route>();
  for (const route of tables
    .flatMap((table) => Object.values(table))
    .flatMap((routes) => Object.values(routes))) {
    for (const { url } of pathsOfRoute(route, aliases)) known.set(`${route.method} ${url}`, route);
  }
  app.addHook("onRoute", (options) => {
    for (const method of [options.method].flat()) {
      if (method === "OPTIONS") continue;
      const path = options.url === "/" ? "/" : options.url.replace(/\/$/, "");
      // HEAD is guarded like GET.
      const asked = method === "HEAD" ? "GET" : method;
      const route = known.get(`${asked} ${path}`) ?? below(known, asked, path);
      if (!route) throw new Error(`${method} ${options.url} is in no route table`);
      options.config = { ...options.config, route };
    }
  });
}

function below(known: ReadonlyMap<string, Route>, method: string, path: string): Route | undefined {
  for (const [key, route] of known) {
    if (
      key.startsWith(`${method} `) &&
      route.path.endsWith("/*") &&
      path.startsWith(route.path.slice(0, -1))
    ) {
      return route;
    }
  }
  return undefined;
}
