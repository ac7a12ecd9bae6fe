import { createHmac } from "node:crypto";
import { CORE_PERMISSIONS } from "@andon/contract";
import type { JWTPayload } from "jose";
import { type Logger, pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type JwtSettings, jwtVerifier, type VerifyJwt } from "../../src/access/jwt.ts";
import { bearer, describeAccess } from "./bench.ts";
import { type Issuer, type Signer, startIssuer } from "./issuer.ts";

const CLAIMS = {
  permissionsClaim: "permissions",
  tenantClaim: "tenantId",
  organizationClaim: "organizationId",
};

let issuer: Issuer;
let signer: Signer;
let settings: JwtSettings;
beforeEach(async () => {
  issuer = await startIssuer();
  signer = await issuer.addKey("ES256");
  settings = { issuer: issuer.url, ...CLAIMS };
});
afterEach(() => issuer.close());

const NOW = Date.UTC(2031, 0, 2, 3, 4, 5);
const seconds = NOW / 1_000;
const clock = { now: () => NOW, monotonic: () => 0, after: () => () => {} };
const claims = (more: Record<string, unknown> = {}): JWTPayload => ({
  iss: issuer.url,
  sub: "kim",
  exp: seconds + 600,
  permissions: ["queue.read"],
  ...more,
});

describe("tokens of an issuer", () => {
  let logged: string[];
  let log: Logger;
  let verify: VerifyJwt;
  beforeEach(() => {
    logged = [];
    log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
    verify = jwtVerifier(settings, clock, log, CORE_PERMISSIONS);
  });

  test.for(["RS256", "PS256", "ES256", "EdDSA"])("signed with %s are accepted", async (algorithm) => {
    const { sign } = await issuer.addKey(algorithm);
    const token = await sign(claims({ tenantId: "shop", organizationId: "north" }));
    expect(await verify(token)).toEqual({
      principal: {
        actor: "user:kim",
        permissions: ["queue.read"],
        tenantId: "shop",
        organizationId: "north",
      },
      by: "token",
      basis: { keyId: null, expiresAt: (seconds + 630) * 1_000 },
    });
  });

  test.for<{ given: unknown; permissions: string[] }>([
    { given: ["queue.operate", "queue.read", "root", 7], permissions: ["queue.read", "queue.operate"] },
    { given: "admin queue.read openid", permissions: ["queue.read", "admin"] },
    { given: { admin: true }, permissions: [] },
    { given: undefined, permissions: [] },
  ])("with the permissions $given may $permissions", async ({ given, permissions }) => {
    const found = await verify(await signer.sign(claims({ permissions: given })));
    expect(found?.principal.permissions).toEqual(permissions);
  });

  test("with only an organisation belong to the default tenant", async () => {
    const found = await verify(await signer.sign(claims({ organizationId: "north" })));
    expect(found?.principal).toMatchObject({ tenantId: "default", organizationId: "north" });
    const numbered = await verify(await signer.sign(claims({ organizationId: 7 })));
    expect(numbered?.principal).toMatchObject({ tenantId: "default", organizationId: "7" });
  });

  test("are read by the claims that the settings name", async () => {
    const named = { permissionsClaim: "https://andon/roles", tenantClaim: "org", organizationClaim: "team" };
    const found = await jwtVerifier({ ...settings, ...named }, clock, log, [...CORE_PERMISSIONS, "dlq.read"])(
      await signer.sign(claims({ "https://andon/roles": ["dlq.read"], org: "shop", team: "north" })),
    );
    expect(found?.principal).toMatchObject({
      permissions: ["dlq.read"],
      tenantId: "shop",
      organizationId: "north",
    });
  });

  test.for<{ wrong: string; more: Record<string, unknown> }>([
    { wrong: "another issuer", more: { iss: "https://other.example" } },
    { wrong: "no issuer", more: { iss: undefined } },
    { wrong: "no expiry", more: { exp: undefined } },
    { wrong: "an expiry more than the tolerance ago", more: { exp: seconds - 31 } },
    { wrong: "a start that is to come", more: { nbf: seconds + 31 } },
    { wrong: "no subject", more: { sub: undefined } },
    { wrong: "an empty subject", more: { sub: "" } },
    { wrong: "a blank subject", more: { sub: " " } },
    { wrong: "a subject that is an object", more: { sub: { id: 1 } } },
    { wrong: "a subject that is a number", more: { sub: 7 } },
    { wrong: "a subject that is a list", more: { sub: ["kim"] } },
    { wrong: "a subject that is too long", more: { sub: "k".repeat(256) } },
    { wrong: "a tenant that is a list", more: { tenantId: ["shop"] } },
    { wrong: "an empty tenant", more: { tenantId: "" } },
    { wrong: "an organisation that is no whole number", more: { organizationId: 7.5 } },
  ])("with $wrong are invalid", async ({ more }) => {
    expect(await verify(await signer.sign(claims(more)))).toBeUndefined();
  });

  test("are accepted up to 30 s after their expiry", async () => {
    expect(await verify(await signer.sign(claims({ exp: seconds - 29 })))).toBeDefined();
  });

  test("need the audience if the settings name one", async () => {
    const strict = jwtVerifier({ ...settings, audience: "andon" }, clock, log, CORE_PERMISSIONS);
    expect(await strict(await signer.sign(claims({ aud: ["x", "andon"] })))).toBeDefined();
    expect(await strict(await signer.sign(claims({ aud: "x" })))).toBeUndefined();
    expect(await strict(await signer.sign(claims()))).toBeUndefined();
  });

  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

  test("without a signature, or signed with the public key as a secret, are invalid", async () => {
    const body = encoded(claims());
    expect(await verify(`${encoded({ alg: "none" })}.${body}.`)).toBeUndefined();
    const head = encoded({ alg: "HS256", kid: signer.publicJwk.kid });
    const hmac = createHmac("sha256", JSON.stringify(signer.publicJwk)).update(`${head}.${body}`);
    expect(await verify(`${head}.${body}.${hmac.digest("base64url")}`)).toBeUndefined();
    expect(issuer.asked()).toBe(0);
  });

  test("that were changed, or signed by another key, are invalid", async () => {
    const [head, , signature] = (await signer.sign(claims())).split(".");
    const changed = `${head}.${encoded(claims({ sub: "lee" }))}.${signature}`;
    expect(await verify(changed)).toBeUndefined();
    const other = await startIssuer();
    const stranger = await other.addKey("ES256");
    expect(await verify(await stranger.sign(claims(), { kid: "key-0" }))).toBeUndefined();
    await other.close();
  });

  test.for(["", "a", "a.b.c", "..", "ey.ey.ey"])(
    "that are malformed (%j) are invalid, and nothing is logged",
    async (given) => {
      expect(await verify(given)).toBeUndefined();
      expect(logged).toEqual([]);
    },
  );

  test.for<[string, Parameters<Issuer["break"]>[0]]>([
    ["answers 500", (response) => void response.writeHead(500).end()],
    ["answers no JSON", (response) => void response.end("<html>")],
    ["answers no key set", (response) => void response.end("{}")],
    ["hangs up", (response) => void response.destroy()],
    ["sends elsewhere", (response) => void response.writeHead(302, { location: "/other" }).end()],
  ])("are invalid while the issuer %s, and the log says so", async ([, answer]) => {
    issuer.break(answer);
    expect(await verify(await signer.sign(claims()))).toBeUndefined();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain("the keys of the token issuer cannot be read");
  });

  test("are invalid when the issuer does not answer within the time limit", async () => {
    issuer.break(() => {});
    const timeout = vi.spyOn(AbortSignal, "timeout");
    expect(await verify(await signer.sign(claims()))).toBeUndefined();
    expect(timeout).toHaveBeenCalledWith(3_000);
    timeout.mockRestore();
    expect(logged[0]).toContain("the keys of the token issuer cannot be read");
  });

  test("are checked with keys that are fetched once, from the address in the settings", async () => {
    const elsewhere = jwtVerifier(
      { ...settings, issuer: "https://id.example/", jwksUrl: `${issuer.url}/.well-known/jwks.json` },
      clock,
      log,
      [...CORE_PERMISSIONS, "dlq.read"],
    );
    const token = await signer.sign(claims({ iss: "https://id.example/" }));
    for (let i = 0; i < 5; i++) expect(await elsewhere(token)).toBeDefined();
    expect(issuer.asked()).toBe(1);
  });

  test("of a newly published key are valid a few seconds later, and unknown keys do not flood the issuer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      expect(await verify(await signer.sign(claims()))).toBeDefined();
      const token = await (await issuer.addKey("ES256")).sign(claims());
      for (let i = 0; i < 5; i++) expect(await verify(token)).toBeUndefined();
      expect(issuer.asked()).toBe(1);
      vi.setSystemTime(Date.now() + 5_000);
      expect(await verify(token)).toBeDefined();
      expect(await verify(await signer.sign(claims()))).toBeDefined();
      expect(issuer.asked()).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describeAccess("a user of an issuer", (bench) => {
  const now = () => Math.floor(Date.now() / 1_000);

  test("can call and log in under their own name, no longer than their token is valid", async () => {
    const access = await bench().another({ jwt: settings });
    const token = await signer.sign(claims({ exp: now() + 600 }));
    expect((await access.authenticate(bearer(token)))?.principal.actor).toBe("user:kim");
    const { session, expiresAt } = await access.login({ token }, "10.1.0.1");
    expect(expiresAt).toBeLessThanOrEqual((now() + 640) * 1_000);
    expect((await access.authenticate({ session }))?.principal.actor).toBe("user:kim");
    bench().clock.pass(640_000);
    expect(await access.authenticate({ session })).toBeUndefined();
  });

  test("gets 401 over HTTP, never 500, when the issuer is away", async () => {
    const { send } = await bench().listen({ jwt: settings });
    const token = await signer.sign(claims({ exp: now() + 86_400 }));
    issuer.break((response) => void response.destroy());
    const answer = await send("GET", "/me", { headers: bearer(token) });
    expect([answer.status, answer.body.error]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("gets 401 if the token's subject is not text", async () => {
    const { send } = await bench().listen({ jwt: settings });
    const odd = { sub: { id: 1 }, exp: now() + 600 } as unknown as Record<string, unknown>;
    const answer = await send("GET", "/me", { headers: bearer(await signer.sign(claims(odd))) });
    expect([answer.status, answer.body.error]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("is unauthenticated if no issuer is set", async () => {
    const token = await signer.sign(claims({ exp: now() + 86_400 }));
    expect(await bench().access.authenticate(bearer(token))).toBeUndefined();
  });
});
