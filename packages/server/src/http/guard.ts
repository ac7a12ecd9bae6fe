import { AndonError, mayDo, type Principal, type Route } from "@andon/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isRoom } from "./console.ts";

/** Who calls a route that anybody may call. */
export const NOBODY: Principal = {
  actor: "nobody",
  permissions: [],
  tenantId: null,
  organizationId: null,
};

declare module "fastify" {
  interface FastifyRequest {
    /** Who was let through to this route. */
    principal: Principal;
    /** Who calls, by token or session; undefined where neither is valid. Set once by the host. */
    authenticate(options?: { mayRemember?: boolean }): Promise<Principal | undefined>;
  }
  interface FastifyContextConfig {
    route?: Route;
    operationId?: string;
  }
}

/**
 * Guards every route of this instance, a plugin's own too, by its row of the table. Where there is no route a caller
 * needs a token all the same, or anybody could find out which routes there are.
 */
export function guardEveryRoute(app: FastifyInstance): void {
  app.decorateRequest("principal", null as unknown as Principal);
  app.addHook("onRequest", async (request) => {
    const { route } = request.routeOptions.config;
    if (!route && !isRoom(request) && !(await request.authenticate()))
      throw new AndonError("UNAUTHENTICATED");
    request.principal = route ? await guard(request, route) : NOBODY;
  });
}

/** Lets a caller through to a route, or says why not. */
async function guard(request: FastifyRequest, route: Route): Promise<Principal> {
  if (route.access === "public") return NOBODY;
  const principal = await request.authenticate({ mayRemember: route.withoutStore ?? false });
  if (!principal) throw new AndonError("UNAUTHENTICATED");
  if (route.access !== "signed-in" && !mayDo(principal, route.access)) {
    throw new AndonError("FORBIDDEN", { permission: route.access });
  }
  if (route.reach === "whole" && isScoped(principal)) throw new AndonError("SCOPE_TOO_NARROW");
  return principal;
}

export function isScoped(principal: Principal): boolean {
  return principal.tenantId !== null || principal.organizationId !== null;
}
