import { type Route, routerPath } from "@andon/contract";

/** Paths of apps that stand for one queue: `{ "/admin/queue": "my-queue" }`. */
export type QueueAliases = Readonly<Record<string, string>>;

export interface RoutePath {
  /** The path in the notation of the route tables. */
  readonly path: string;
  /** The path in the notation of the router. */
  readonly url: string;
  /** Distinguishes the operation ids of one route at its paths; empty for its own path. */
  readonly suffix: string;
  /** The queue that the path itself names. */
  readonly queue?: string;
}

/** Every path at which a route is served. */
export function pathsOfRoute(route: Route, aliases: QueueAliases): RoutePath[] {
  const { otherPath, belowAlias } = route;
  const aliased = belowAlias === undefined ? [] : Object.entries(aliases);
  const at = (path: string) => ({ path, url: routerPath(path) });
  return [
    { ...at(route.path), suffix: "" },
    ...(otherPath === undefined ? [] : [{ ...at(otherPath), suffix: ".other" }]),
    ...aliased.map(([alias, queue]) => ({ ...at(`${alias}${belowAlias}`), suffix: `.${queue}`, queue })),
  ];
}
