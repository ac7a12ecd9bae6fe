import { AndonError, mayDo, type Principal, type Route } from "@andon/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isRoom } from "./console.ts";

/** The principal of a route that needs no key. */
export const NOBODY: Principal = {
  actor: "nobody",
  permissions: [],
  tenantId: null,
  organizationId: null,
};

declare module "fastify" {
  interface FastifyRequest {
    /** The caller that the guard has accepted for this route. */
    principal: Principal;
    /** The caller, by token or session; undefined if neither is valid. Set once by the host. */
    authenticate(options?: { mayRemember?: boolean }): Promise<Principal | undefined>;
  }
  interface FastifyContextConfig {
    route?: Route;
    operationId?: string;
  }
}

/**
 * Guards every route of this instance, also a plugin's own, by its row of the table. An unknown path needs a token too,
 * otherwise anybody could find out which routes exist.
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

/** Returns the caller if the route allows it, else throws the refusal. */
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
