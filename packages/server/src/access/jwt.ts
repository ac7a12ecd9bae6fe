import { organizationText, type Permission } from "@andon/contract";
import type { Clock } from "@andon/engine";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Logger } from "pino";
import type { Authenticated } from "./authenticated.ts";
import { scopeOf } from "./scope.ts";

export interface JwtSettings {
  /** The exact value of the tokens' `iss`. */
  readonly issuer: string;
  /** The address of the issuer's public keys. Default `<issuer>/.well-known/jwks.json`. */
  readonly jwksUrl?: string | undefined;
  /** The audience that `aud` must contain. Default: `aud` is not checked. */
  readonly audience?: string | undefined;
  /** The claim that lists permissions, as an array or separated by spaces. */
  readonly permissionsClaim: string;
  readonly tenantClaim: string;
  readonly organizationClaim: string;
}

/** Public-key signatures only: with a shared secret, whoever can check a token could make one. */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const CLOCK_TOLERANCE_S = 30;
const FETCH_LIMIT_MS = 3_000;
/**
 * The minimum time between two requests for the issuer's keys because of a token with an unknown key: invented tokens must
 * not flood the issuer, and users of a new key must not wait long.
 */
const LOOK_AGAIN_AFTER_MS = 5_000;
/** The limit of OpenID Connect. */
const LONGEST_SUBJECT = 255;

export type VerifyJwt = (token: string) => Promise<Authenticated | undefined>;

/** Checks tokens of one issuer. Any problem with a token or with the issuer's keys makes the token invalid. */
export function jwtVerifier(
  settings: JwtSettings,
  clock: Clock,
  log: Logger,
  /** The permissions of this site. An issuer's claim may list others, such as `openid`. */
  known: readonly Permission[],
): VerifyJwt {
  const keys = keySet(settings, log);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        ...(settings.audience === undefined ? {} : { audience: settings.audience }),
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(clock.now()),
      });
      return authenticatedBy(payload, settings, known);
    } catch {
      return undefined;
    }
  };
}

/** The issuer's keys. An unreachable issuer is logged for the operator, because the caller only sees a 401. */
function keySet(settings: JwtSettings, log: Logger): JWTVerifyGetKey {
  const url = new URL(settings.jwksUrl ?? `${settings.issuer.replace(/\/$/, "")}/.well-known/jwks.json`);
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: FETCH_LIMIT_MS,
    cooldownDuration: LOOK_AGAIN_AFTER_MS,
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      const isOfTheToken =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (!isOfTheToken)
        log.warn({ err: error, url: url.href }, "the keys of the token issuer cannot be read");
      throw error;
    }
  };
}

function authenticatedBy(
  payload: JWTPayload,
  settings: JwtSettings,
  known: readonly Permission[],
): Authenticated | undefined {
  const tenantId = scopeClaim(payload[settings.tenantClaim]);
  const organizationId = scopeClaim(organizationText(payload[settings.organizationClaim]));
  // A leaked token without an expiry would be valid forever; a token without a subject cannot be attributed to anybody.
  if (!isSubject(payload.sub) || payload.exp === undefined) return undefined;
  // An unreadable scope must not become no scope, because that would give access to every tenant.
  if (tenantId === undefined || organizationId === undefined) return undefined;
  return {
    principal: {
      actor: `user:${payload.sub}`,
      permissions: permissionsIn(payload[settings.permissionsClaim], known),
      ...scopeOf(tenantId, organizationId),
    },
    by: "token",
    basis: { keyId: null, expiresAt: Math.floor((payload.exp + CLOCK_TOLERANCE_S) * 1_000) },
  };
}

/** A valid signature does not limit the content: a subject may be any JSON value. */
function isSubject(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= LONGEST_SUBJECT;
}

/** Null if the claim is absent; undefined if it is not a valid scope. */
function scopeClaim(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function permissionsIn(claim: unknown, known: readonly Permission[]): Permission[] {
  const given: unknown[] = typeof claim === "string" ? claim.split(" ") : Array.isArray(claim) ? claim : [];
  return known.filter((permission) => given.includes(permission));
}
