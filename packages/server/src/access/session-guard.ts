import { AndonError } from "@andon/contract";
import cookie from "@fastify/cookie";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Site } from "../site.ts";
import type { Access } from "./access.ts";
import type { Authenticated } from "./authenticated.ts";

export const SESSION_COOKIE = "andon_session";

declare module "fastify" {
  interface FastifyRequest {
    /** The principal and its credential; `authenticate` returns only the principal. */
    caller(options?: { mayRemember?: boolean }): Promise<Authenticated | undefined>;
    foundCaller: Promise<Authenticated | undefined> | undefined;
  }
}

/**
 * Adds the caller to every request, looked up once per request. `origins` are the addresses of our own console. Add hooks
 * that need the caller only after this promise is resolved: a hook of this plugin reads the cookies.
 */
export async function decorateAccess(
  app: FastifyInstance,
  site: Pick<Site, "access">,
  origins: () => readonly string[],
): Promise<void> {
  await app.register(cookie);
  app.decorateRequest("foundCaller", undefined);
  app.decorateRequest("caller", function ({ mayRemember = false } = {}) {
    this.foundCaller ??= callerOf(this, site.access, origins, mayRemember);
    return this.foundCaller;
  });
  app.decorateRequest("authenticate", async function (options) {
    return (await this.caller(options))?.principal;
  });
}

export function sessionIn(request: FastifyRequest): string | undefined {
  return request.cookies[SESSION_COOKIE];
}

async function callerOf(
  request: FastifyRequest,
  access: Access,
  origins: () => readonly string[],
  mayRemember: boolean,
): Promise<Authenticated | undefined> {
  const { authorization } = request.headers;
  const caller = await access.authenticate({
    authorization,
    session: sessionIn(request),
    from: request.ip,
    mayRemember,
  });
  if (caller?.by === "session" && isChange(request) && !isFromOurPages(request, origins())) {
    throw new AndonError("ORIGIN_REFUSED");
  }
  return caller;
}

function isChange({ method }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** The browser may send the cookie for a page of another origin; the origin is in these headers, which a page cannot change. */
function isFromOurPages({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  if (headers.origin !== undefined) return origins.includes(headers.origin);
  return headers["sec-fetch-site"] === "same-origin";
}
