import { AndonError, iso, isoOrNull, type Principal, type ROUTES } from "@andon/contract";
import type { FastifyReply } from "fastify";
import type { HttpServeAll } from "../http/mount.ts";
import { wirePage } from "../operator/wire.ts";
import type { Site } from "../site.ts";
import type { Authenticated } from "./authenticated.ts";
import type { ApiKey } from "./keys.ts";
import { permissionsOf, refuseUnknownPermissions } from "./permissions.ts";
import { SESSION_COOKIE, sessionIn } from "./session-guard.ts";
import { canBeNamed, type OpenLogin } from "./sessions.ts";

/** The routes of keys, logins and sessions. */
export function serveAccess(
  site: Pick<Site, "access" | "andon" | "apps" | "settings">,
): Pick<HttpServeAll<typeof ROUTES>, "keys" | "session" | "sessions"> {
  const { access } = site;
  const cookie = () => ({
    path: "/",
    httpOnly: true,
    sameSite: "strict" as const,
    secure: access.publicUrl().startsWith("https:"),
  });
  return {
    keys: {
      async create({ body: { expiresAt, reason, ...body }, principal, reply }) {
        refuseUnknownPermissions(site, body.permissions);
        const until = expiresAt === undefined ? undefined : Date.parse(expiresAt);
        const wish = { ...body, expiresAt: until };
        const { token, ...key } = await access.keys.create(wish, principal, reason);
        keepUncached(reply);
        return { ...wireKey(key), token };
      },
      async permissions() {
        return { items: permissionsOf(site) };
      },
      async list({ principal, query: { page, limit } }) {
        return wirePage(await access.keys.list(principal, page, limit), wireKey);
      },
      async revoke({ params, principal }) {
        return wireKey(await access.keys.revoke(params.id, principal));
      },
    },
    sessions: {
      async list({ query: { page, limit }, request }) {
        return wirePage(await access.sessions.list(page, limit, sessionIn(request)), wireLogin);
      },
      async end({ params: { id }, principal, request }) {
        const [ended] = await access.sessions.endOf({ id }, principal.actor, sessionIn(request));
        if (!ended) throw new AndonError("SESSION_NOT_FOUND", { session: id });
        return wireLogin(ended);
      },
      async endOthers({ principal, request }) {
        const ended = await access.sessions.endOf("others", principal.actor, sessionIn(request));
        return { ended: ended.length };
      },
    },
    session: {
      async login({ body, request, reply }) {
        const { principal, session, expiresAt } = await access.login(body, request.ip);
        const maxAge = Math.floor((expiresAt - site.andon.store.clock.now()) / 1_000);
        keepUncached(reply).setCookie(SESSION_COOKIE, session, { ...cookie(), maxAge });
        const isNameable = canBeNamed({ by: "session", actor: principal.actor });
        return { ...wirePrincipal(principal), name: null, canBeNamed: isNameable, expiresAt: iso(expiresAt) };
      },
      async logout({ request, reply }) {
        const session = sessionIn(request);
        if (session !== undefined) await access.logout(session);
        reply.clearCookie(SESSION_COOKIE, cookie());
        return { success: true };
      },
      async me({ request }) {
        return { ...wireCaller(await request.caller()), apps: site.apps.map(({ name }) => name) };
      },
      async name({ body, request }) {
        const caller = await request.caller();
        const session = sessionIn(request);
        if (!caller || session === undefined || !canBeNamed(caller)) throw new AndonError("LOGIN_NOT_NAMED");
        if (!(await access.nameLogin(session, body.name))) throw new AndonError("UNAUTHENTICATED");
        return wireCaller(await access.authenticate({ session }));
      },
      async link({ body, principal, request, reply }) {
        const caller = await request.caller();
        const { actor } = principal;
        const { url, expiresAt } = await access.loginLink(
          caller?.actor ?? actor,
          caller?.basis,
          body.reason,
          actor,
        );
        keepUncached(reply);
        return { url, expiresAt: iso(expiresAt) };
      },
    },
  };
}

/** For answers that contain a secret. */
function keepUncached(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "no-store");
}

function wirePrincipal({ actor, permissions, tenantId, organizationId }: Principal) {
  return { actor, permissions: [...permissions], tenantId, organizationId };
}

function wireCaller(caller: Authenticated | undefined) {
  if (!caller) throw new AndonError("UNAUTHENTICATED");
  return {
    ...wirePrincipal(caller.principal),
    name: caller.name ?? null,
    canBeNamed: canBeNamed(caller),
  };
}

function wireLogin(login: OpenLogin) {
  return { ...login, createdAt: iso(login.createdAt), expiresAt: iso(login.expiresAt) };
}

function wireKey(key: ApiKey) {
  return {
    ...key,
    createdAt: iso(key.createdAt),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
  };
}
