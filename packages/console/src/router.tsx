import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { createElement } from "react";
import { lazyPart } from "./lazy-page.tsx";
import { prepareRoom } from "./prepare-room.ts";
import { type KnownRoom, ROOMS } from "./rooms.ts";
import { guarded } from "./session/guarded.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { Problem } from "./ui/problem.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const routeOf = (room: KnownRoom) =>
  createRoute({
    getParentRoute: () => root,
    path: room.path,
    component: guarded(room, lazyPart(room.component)),
    loaderDeps: ({ search }) => search,
    // It does not wait: the room is shown at once, while its queries are already running.
    loader: ({ params, deps }) => prepareRoom(room, { params, search: deps }),
  });

/** Every value of an address is plain text, so that a ticket such as `0123` is not changed into a number. */
export const router = createRouter({
  routeTree: root.addChildren(ROOMS.map(routeOf)),
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === "" ? "" : `?${text}`;
  },
  scrollRestoration: true,
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ({ error }) => createElement(Problem, { error, onRetry: () => location.reload() }),
});
