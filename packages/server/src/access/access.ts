import { AndonError, type Principal } from "@andon/contract";
import type { Andon } from "@andon/engine";
import type { Logger } from "pino";
import type { Authenticated, Basis } from "./authenticated.ts";
import { type JwtSettings, jwtVerifier } from "./jwt.ts";
import { Keys } from "./keys.ts";
import { LoginBrake } from "./login-brake.ts";
import { LoginCodes } from "./login-codes.ts";
import { RecentCallers } from "./recent-callers.ts";
import { hashOf, isSameHash, TOKEN_PREFIX } from "./secrets.ts";
import { type OpenedSession, Sessions } from "./sessions.ts";

export interface Access {
  /**
   * Who brings this token or session. A bearer token wins, and one that is not valid makes nobody of a session's owner.
   * `from` is the client's address: tokens that are not valid are slowed down there, valid ones never.
   */
  authenticate(given: {
    authorization?: string | undefined;
    session?: string | undefined;
    from?: string | undefined;
    /** Whether somebody who was seen shortly before is known where the store does not answer. Default: false. */
    mayRemember?: boolean | undefined;
  }): Promise<Authenticated | undefined>;
  readonly keys: Pick<Keys, "create" | "list" | "revoke">;
  /** Lets somebody in for a one-use code or a token. `from` is the client's address: failures slow it down. */
  login(
    given: { code: string } | { token: string },
    from: string,
  ): Promise<OpenedSession & { principal: Principal }>;
  logout(session: string): Promise<void>;
  /** Says what the person behind a session is called; null takes the name away. False: the session has ended. */
  nameLogin(session: string, name: string | null): Promise<boolean>;
  /** The open logins; `own` is the caller's session. */
  readonly sessions: Pick<Sessions, "list" | "endOf">;
  /** A console link that lets one person in as `actor`, with all permissions. `maker`: who made it, as the audit log shows it. */
  loginLink(
    actor: string,
    basis?: Basis,
    reason?: string,
    maker?: string,
  ): Promise<{ url: string; expiresAt: number }>;
  /** Changes whenever this process has ended a key or a session: what was known of them must be asked again. */
  revision(): number;
  /** Where people reach this host. */
  publicUrl(): string;
}

export interface AccessOptions {
  readonly andon: Andon;
  readonly adminToken: string;
  /** Asked only when it is needed: with port 0 it is known after listening. */
  readonly publicUrl: () => string;
  readonly jwt?: JwtSettings | undefined;
  /** Permissions that a token of an issuer may carry. */
  readonly permissions: readonly string[];
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
  const guesses = new LoginBrake(() => store.clock.monotonic(), { freeFailures: 20 });
  // The same token again is no guess: a program whose key has expired goes on asking with it.
  const repeats = new LoginBrake(() => store.clock.monotonic(), { freeFailures: 200 });
  let lastWrong = "";
  const verifyJwt = options.jwt && jwtVerifier(options.jwt, store.clock, log, options.permissions);
  const adminHash = hashOf(options.adminToken);
  const recent = new RecentCallers(store);

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

  let revision = 0;
  const ending = async <T>(work: Promise<T>): Promise<T> => {
    const ended = await work;
    revision++;
    recent.clear();
    return ended;
  };

  return {
    keys: {
      create: (input, maker, reason) => keys.create(input, maker, reason),
      list: (caller, page, limit) => keys.list(caller, page, limit),
      revoke: (id, caller) => ending(keys.revoke(id, caller)),
    },
    revision: () => revision,
    publicUrl,
    async authenticate({ authorization, session, from, mayRemember = false }) {
      const bearer = bearerIn(authorization);
      if (bearer !== undefined) {
        const found = await recent.known(bearer, mayRemember, () => byToken(bearer));
        if (!found && from !== undefined) {
          const wrong = hashOf(`${from} ${bearer}`);
          const brake = wrong === lastWrong ? repeats : guesses;
          lastWrong = wrong;
          slowDown(brake, from, "TOKENS_SLOWED");
        }
        return found;
      }
      return session === undefined
        ? undefined
        : recent.known(session, mayRemember, () => sessions.find(session));
    },
    async login(given, from) {
      // What is valid is let in however many others of this address were not: they may share it with a whole office.
      const entered = await ("code" in given ? enterByCode(given.code) : enterByToken(given.token));
      if (entered) {
        brake.succeeded(from);
        return entered;
      }
      slowDown(brake, from, "LOGIN_SLOWED");
      log.warn({ from, by: "code" in given ? "code" : "token" }, "login failed");
      throw new AndonError("LOGIN_FAILED");
    },
    sessions: {
      list: (page, limit, own) => sessions.list(page, limit, own),
      endOf: (which, actor, own) => ending(sessions.endOf(which, actor, own)),
    },
    logout: (session) => ending(sessions.end(session)),
    nameLogin: async (session, name) => {
      const isThere = await sessions.name(session, name);
      recent.clear();
      return isThere;
    },
    async loginLink(actor, basis = ADMIN_BASIS, reason, maker = actor) {
      const { code, expiresAt } = await codes.create({ actor, maker }, basis, reason);
      // In the fragment: browsers send it to nobody, so it is in no log of a proxy.
      return { url: `${publicUrl().replace(/\/$/, "")}/#code=${code}`, expiresAt };
    },
  };
}

/** Counts a failure, or refuses it with the time to wait where there were too many. */
function slowDown(brake: LoginBrake, from: string, code: "LOGIN_SLOWED" | "TOKENS_SLOWED"): void {
  const seconds = brake.secondsToWait(from);
  if (seconds > 0) throw new AndonError(code, { seconds });
  brake.failed(from);
}

/** The token of a bearer header; of another scheme, which may be a proxy's own, none. */
function bearerIn(authorization: string | undefined): string | undefined {
  const [scheme = "", ...token] = (authorization ?? "").trim().split(/\s+/);
  return scheme.toLowerCase() === "bearer" ? token.join(" ") : undefined;
}
