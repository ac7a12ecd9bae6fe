import { type Route, routerPath } from "@andon/contract";

/** Paths of apps that mean one queue: `{ "/admin/queue": "my-queue" }`. */
export type QueueAliases = Readonly<Record<string, string>>;

export interface RoutePath {
  /** As the table of routes writes it. */
  readonly path: string;
  /** As the router takes it. */
  readonly url: string;
  /** Tells apart what one route is called at its paths; empty for its own. */
  readonly suffix: string;
  /** The queue that the path itself names. */
  readonly queue?: string;
}

/** Every path that a route is served at. */
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
