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
   * The caller with this token or session. A bearer token takes precedence: an invalid one is not accepted even beside a valid
   * session. `from` is the client's address: invalid tokens from it are slowed down, valid ones never.
   */
  authenticate(given: {
    authorization?: string | undefined;
    session?: string | undefined;
    from?: string | undefined;
    /** Whether a caller seen in the last minutes is accepted while the store does not answer. Default: false. */
    mayRemember?: boolean | undefined;
  }): Promise<Authenticated | undefined>;
  readonly keys: Pick<Keys, "create" | "list" | "revoke">;
  /** Opens a session for a one-use code or a token. `from` is the client's address: failures slow it down. */
  login(
    given: { code: string } | { token: string },
    from: string,
  ): Promise<OpenedSession & { principal: Principal }>;
  logout(session: string): Promise<void>;
  /** Sets the name of the person behind a session; null removes it. Returns false if the session has ended. */
  nameLogin(session: string, name: string | null): Promise<boolean>;
  /** The open logins; `own` is the caller's session. */
  readonly sessions: Pick<Sessions, "list" | "endOf">;
  /** A console link that logs one person in as `actor`, with all permissions. `maker` is the link's creator in the audit log. */
  loginLink(
    actor: string,
    basis?: Basis,
    reason?: string,
    maker?: string,
  ): Promise<{ url: string; expiresAt: number }>;
  /** Changes whenever this process ends a key or a session. Cached results of `authenticate` are then invalid. */
  revision(): number;
  /** The address at which people reach this host. */
  publicUrl(): string;
}

export interface AccessOptions {
  readonly andon: Andon;
  readonly adminToken: string;
  /** Called only when the address is needed: with port 0 it is known only after listening. */
  readonly publicUrl: () => string;
  readonly jwt?: JwtSettings | undefined;
  /** Permissions that a token of an issuer may carry. */
  readonly permissions: readonly string[];
  readonly log: Logger;
}

/** The admin key is not stored in a table and never expires. */
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
  // Repeating the same token is not guessing: a program whose key has expired keeps sending it.
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

  /** One transaction, so that a crash leaves either the code unused or the session open. */
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
      // A valid login succeeds however many failures its address has: a whole office may share one address.
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
      // Browsers do not send the fragment, so the code never appears in a proxy's log.
      return { url: `${publicUrl().replace(/\/$/, "")}/#code=${code}`, expiresAt };
    },
  };
}

/** Counts a failure. After too many it refuses with the time to wait. */
function slowDown(brake: LoginBrake, from: string, code: "LOGIN_SLOWED" | "TOKENS_SLOWED"): void {
  const seconds = brake.secondsToWait(from);
  if (seconds > 0) throw new AndonError(code, { seconds });
  brake.failed(from);
}

/** The token of a bearer header. Other schemes are ignored: they may belong to a proxy. */
function bearerIn(authorization: string | undefined): string | undefined {
  const [scheme = "", ...token] = (authorization ?? "").trim().split(/\s+/);
  return scheme.toLowerCase() === "bearer" ? token.join(" ") : undefined;
}
