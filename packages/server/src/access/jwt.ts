import { organizationText, type Permission } from "@andon/contract";
import type { Clock } from "@andon/engine";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Logger } from "pino";
import type { Authenticated } from "./authenticated.ts";
import { scopeOf } from "./scope.ts";

export interface JwtSettings {
  /** Exactly what the tokens' `iss` says. */
  readonly issuer: string;
  /** Where the issuer's public keys are. Default `<issuer>/.well-known/jwks.json`. */
  readonly jwksUrl?: string | undefined;
  /** What `aud` must name. Default: it is not looked at. */
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
 * How long after a look at the issuer's keys a token of an unknown one makes no other look: made-up tokens must not
 * become a flood at the issuer, and users of a new key must not wait.
 */
const LOOK_AGAIN_AFTER_MS = 5_000;
/** As long as OpenID Connect lets it be. */
const LONGEST_SUBJECT = 255;

export type VerifyJwt = (token: string) => Promise<Authenticated | undefined>;

/** Checks tokens of one issuer. Whatever is wrong with a token, or with the issuer's keys, it is just not valid. */
export function jwtVerifier(
  settings: JwtSettings,
  clock: Clock,
  log: Logger,
  /** Permissions that mean something here; an issuer's claim may list others, such as `openid`. */
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

/** The issuer's keys. An issuer that cannot be reached is told to the operator, since the caller only sees a 401. */
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
  // Without an end a token that leaks is good for ever; without a subject nobody is answerable for it.
  if (!isSubject(payload.sub) || payload.exp === undefined) return undefined;
  // A scope that we cannot read must not turn into none, which would see everybody's things.
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

/** The signature says nothing of what the issuer wrote: a subject may be anything that JSON has. */
function isSubject(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= LONGEST_SUBJECT;
}

/** Null where it is absent; undefined where it is something that is no scope. */
function scopeClaim(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function permissionsIn(claim: unknown, known: readonly Permission[]): Permission[] {
  const given: unknown[] = typeof claim === "string" ? claim.split(" ") : Array.isArray(claim) ? claim : [];
  return known.filter((permission) => given.includes(permission));
}
