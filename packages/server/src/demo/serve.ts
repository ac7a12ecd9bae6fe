import type { ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import { decisionOf } from "../operator/scope.ts";
import type { Site } from "../site.ts";

const REMOVED = "the demo is over";

/** The routes of the console's guided demo. */
export function serveDemo({ demo }: Pick<Site, "demo">): HttpServeAll<typeof ROUTES>["demo"] {
  return {
    show: () => demo.state(),
    start: (call) => demo.start(decisionOf(call, call.body.reason)),
    plug: (call) => demo.plug(decisionOf(call, call.body.reason)),
    remove: (call) => demo.remove(decisionOf(call, REMOVED)),
  };
}
