import { AndonError, type Principal, type ROUTES, type Route } from "@andon/contract";
import { isScoped } from "../http/guard.ts";
import type { HttpServe, HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";

type QueueRoutes = HttpServeAll<typeof ROUTES>["queues"];

/** The routes that every kind of queue serves, an Andon queue or a BullMQ queue. */
export type QueueSurface = Pick<
  QueueRoutes,
  | "overview"
  | "status"
  | "failed"
  | "failedJob"
  | "event"
  | "pause"
  | "resume"
  | "retry"
  | "retryAll"
  | "skip"
  | "skipAllAndResume"
>;

type Handlers = Readonly<Record<string, Readonly<Record<string, HttpServe<Route>>>>>;

/**
 * Sends each call whose path names a BullMQ queue to that surface, in every group of routes. A route that the surface does not have
 * is refused with BULLMQ_NOT_OFFERED. All other calls are unchanged.
 */
export function withBullmqQueues<Groups>(site: Site, groups: Groups, surface: QueueSurface): Groups {
  if (site.bullmq.names.length === 0) return groups;
  const own = surface as unknown as Readonly<Record<string, HttpServe<Route>>>;
  const routed = Object.entries(groups as Handlers).map(([group, handlers]) => [
    group,
    Object.fromEntries(
      Object.entries(handlers).map(([name, serve]) => {
        const served = group === "queues" ? own[name] : undefined;
        return [name, byQueue(site, serve, served)];
      }),
    ),
  ]);
  return Object.fromEntries(routed) as Groups;
}

function byQueue(
  site: Site,
  serve: HttpServe<Route>,
  served: HttpServe<Route> | undefined,
): HttpServe<Route> {
  return async (call) => {
    const { queue } = call.params as { queue?: string };
    if (queue === undefined || !site.bullmq.has(queue)) return serve(call);
    refuseScoped(call.principal);
    if (!served || asksForRamp(call.body)) throw new AndonError("BULLMQ_NOT_OFFERED", { queue });
    return served(call);
  };
}

/** Jobs of BullMQ have no tenant, so a key with a scope sees none of them. */
function refuseScoped(principal: Principal): void {
  if (isScoped(principal)) throw new AndonError("SCOPE_TOO_NARROW");
}

function asksForRamp(body: unknown): boolean {
  const { ramp } = (body ?? {}) as { ramp?: unknown };
  return ramp !== undefined && ramp !== false;
}
