import { AndonError, type Principal } from "@andon/contract";
import type { Andon } from "@andon/engine";
import type { Logger } from "pino";
import type { Authenticated, Basis } from "./authenticated.ts";
import { type JwtSettings, jwtVerifier } from "./jwt.ts";
import { Keys } from "./keys.ts";
import { LoginBrake } from "./login-brake.ts";
import { LoginCodes } from "./login-codes.ts";
import { hashOf, isSameHash, TOKEN_PREFIX } from "./secrets.ts";
import { type OpenedSession, Sessions } from "./sessions.ts";

export interface Access {
  /** Who brings this token or session. A bearer token wins, and one that is not valid makes nobody of a session's owner. */
  authenticate(given: {
    authorization?: string | undefined;
    session?: string | undefined;
  }): Promise<Authenticated | undefined>;
  readonly keys: Pick<Keys, "create" | "list" | "revoke">;
  /** Lets somebody in for a one-use code or a token. `from` is the client's address: failures slow it down. */
  login(
    given: { code: string } | { token: string },
    from: string,
  ): Promise<OpenedSession & { principal: Principal }>;
  logout(session: string): Promise<void>;
  /** A console link that lets one person in as `actor`, with all permissions. */
  loginLink(actor: string, basis?: Basis, reason?: string): Promise<{ url: string; expiresAt: number }>;
  /** Where people reach this host. */
  publicUrl(): string;
}

export interface AccessOptions {
  readonly andon: Andon;
  readonly adminToken: string;
  /** Asked only when it is needed: with port 0 it is known after listening. */
  readonly publicUrl: () => string;
  readonly jwt?: JwtSettings | undefined;
  readonly log: Logger;
}

/** The admin key is in no table and has no end. */
const ADMIN_BASIS: Basis = { keyId: null, expiresAt: null };

function administrator(actor: string): Principal {
  return { actor, permissions: ["admin"], tenantId: null, organizationId: null };
}

export async function openAccess(options: AccessOptions): Promise<Access> {
  const { publicUrl, log } = options;
  const { store } = options.andon;
  const keys = new Keys(store, log);
  const sessions = new Sessions(store);
  const codes = new LoginCodes(store);
  const brake = new LoginBrake(() => store.clock.monotonic());
  const verifyJwt = options.jwt && jwtVerifier(options.jwt, store.clock, log);
  const adminHash = hashOf(options.adminToken);

  async function byToken(token: string): Promise<Authenticated | undefined> {
    if (isSameHash(hashOf(token), adminHash)) {
      return { principal: administrator("admin"), by: "token", basis: ADMIN_BASIS };
    }
    if (!token.startsWith(TOKEN_PREFIX)) return verifyJwt?.(token);
    const key = await keys.find(token);
    if (!key) return undefined;
    const { id, name, permissions, tenantId, organizationId, expiresAt } = key;
    const principal = { actor: `key:${name}`, keyId: id, permissions, tenantId, organizationId };
    return { principal, by: "token", basis: { keyId: id, expiresAt } };
  }

  /** One transaction: a crash leaves the code unused, or the session open. */
  function enterByCode(code: string) {
    return store.transaction("login", async (tx) => {
      const taken = await codes.take(tx, code);
      if (!taken) return undefined;
      const principal = administrator(taken.actor);
      return { principal, ...(await sessions.open(tx, principal, taken.basis)) };
    });
  }

  async function enterByToken(token: string) {
    const found = await byToken(token);
    if (!found) return undefined;
    const { principal, basis } = found;
    const opened = await store.transaction("login", (tx) => sessions.open(tx, principal, basis));
    return { principal, ...opened };
  }

  return {
    keys,
    publicUrl,
    async authenticate({ authorization, session }) {
      const bearer = bearerIn(authorization);
      if (bearer !== undefined) return byToken(bearer);
      return session === undefined ? undefined : sessions.find(session);
    },
    async login(given, from) {
      const seconds = brake.secondsToWait(from);
      if (seconds > 0) throw new AndonError("LOGIN_SLOWED", { seconds });
      const entered = await ("code" in given ? enterByCode(given.code) : enterByToken(given.token));
      if (entered) {
        brake.succeeded(from);
        return entered;
      }
      brake.failed(from);
      log.warn({ from, by: "code" in given ? "code" : "token" }, "login failed");
      throw new AndonError("LOGIN_FAILED");
    },
    logout: (session) => sessions.end(session),
    async loginLink(actor, basis = ADMIN_BASIS, reason) {
      const { code, expiresAt } = await codes.create(actor, basis, reason);
      // In the fragment: browsers send it to nobody, so it is in no log of a proxy.
      return { url: `${publicUrl().replace(/\/$/, "")}/#code=${code}`, expiresAt };
    },
  };
}

/** The token of a bearer header; of another scheme, which may be a proxy's own, none. */
function bearerIn(authorization: string | undefined): string | undefined {
  const [scheme = "", ...token] = (authorization ?? "").trim().split(/\s+/);
  return scheme.toLowerCase() === "bearer" ? token.join(" ") : undefined;
}
