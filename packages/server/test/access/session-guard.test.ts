import { expect, test } from "vitest";
import { ADMIN, ADMIN_TOKEN, asAdmin, bearer, cookieOf, describeAccess } from "./bench.ts";

const codeIn = (url: string) => url.split("#code=")[1];

describeAccess("sessions over HTTP", (bench) => {
  async function signedIn() {
    const http = await bench().listen();
    const login = await http.send("POST", "/login", { body: { token: ADMIN_TOKEN } });
    return { ...http, login, cookie: cookieOf(login) };
  }

  test("a login sets a cookie that scripts and other sites cannot use, and answers with the caller", async () => {
    const { login, cookie, send } = await signedIn();
    expect(login.status).toBe(200);
    expect(login.body).toMatchObject({ actor: "admin", permissions: ["admin"], tenantId: null });
    expect(login.headers.get("cache-control")).toBe("no-store");
    const parts = (login.headers.get("set-cookie") ?? "").split("; ");
    expect(parts[0]).toMatch(/^andon_session=[\w-]{43}$/);
    expect(parts).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/"]));
    expect(parts).not.toContain("Secure");
    const maxAge = Number(parts.find((part) => part.startsWith("Max-Age="))?.slice("Max-Age=".length));
    expect(maxAge).toBeGreaterThan(11 * 3_600);
    expect(maxAge).toBeLessThanOrEqual(12 * 3_600);
    expect((await send("GET", "/me", { headers: { cookie } })).body.actor).toBe("admin");
  });

  test("the cookie is Secure if publicUrl is https", async () => {
    const { send } = await bench().listen({ publicUrl: "https://andon.example/" });
    const login = await send("POST", "/login", { body: { token: ADMIN_TOKEN } });
    expect(login.headers.get("set-cookie")).toContain("; Secure");
    const link = await send("POST", "/admin/login-links", { headers: asAdmin });
    expect(link.body.url).toMatch(/^https:\/\/andon\.example\/#code=/);
  });

  test("a link's code is exchanged for a session once", async () => {
    const { send } = await bench().listen();
    const link = await send("POST", "/admin/login-links", { headers: asAdmin });
    expect([link.status, link.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const body = { code: codeIn(link.body.url) };
    const cookie = cookieOf(await send("POST", "/login", { body }));
    expect((await send("GET", "/admin/keys", { headers: { cookie } })).status).toBe(200);
    const again = await send("POST", "/login", { body });
    expect([again.status, again.body.error]).toEqual([401, "LOGIN_FAILED"]);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  test.for([
    { sender: "our own page", headers: (origin: string) => ({ origin }), status: 201 },
    { sender: "another site", headers: () => ({ origin: "https://evil.example" }), status: 403 },
    { sender: "a sandboxed page", headers: () => ({ origin: "null" }), status: 403 },
    { sender: "our host on another port", headers: () => ({ origin: "http://127.0.0.1:1" }), status: 403 },
    { sender: "nobody knows where", headers: () => ({}), status: 403 },
    {
      sender: "our page, as the browser says without Origin",
      headers: () => ({ "sec-fetch-site": "same-origin" }),
      status: 201,
    },
    {
      sender: "a sister site, as the browser says",
      headers: () => ({ "sec-fetch-site": "same-site" }),
      status: 403,
    },
    {
      sender: "another site that claims to be ours",
      headers: () => ({ origin: "https://evil.example", "sec-fetch-site": "same-origin" }),
      status: 403,
    },
  ])("a change by a session from $sender is $status", async ({ headers, status }) => {
    const { origin, send, cookie } = await signedIn();
    const answer = await send("POST", "/admin/login-links", { headers: { cookie, ...headers(origin) } });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.error).toBe("ORIGIN_REFUSED");
  });

  test("a read by a session needs no Origin, and neither does a change by a token", async () => {
    const { send, cookie } = await signedIn();
    const elsewhere = { origin: "https://evil.example" };
    expect((await send("GET", "/me", { headers: { cookie, ...elsewhere } })).status).toBe(200);
    const link = await send("POST", "/admin/login-links", { headers: { ...asAdmin, ...elsewhere } });
    expect(link.status).toBe(201);
  });

  test("a bearer token takes precedence over a cookie, also if the token is invalid", async () => {
    const { send, cookie } = await signedIn();
    const { token } = await bench().access.keys.create(
      { name: "reader", permissions: ["queue.read"] },
      ADMIN,
    );
    const me = await send("GET", "/me", { headers: { cookie, ...bearer(token) } });
    expect(me.body.actor).toBe("key:reader");
    const invalid = await send("GET", "/me", { headers: { cookie, ...bearer("andon_no") } });
    expect([invalid.status, invalid.body.error]).toEqual([401, "UNAUTHENTICATED"]);
    const proxied = await send("GET", "/me", { headers: { cookie, authorization: "Basic cHJveHk6cHc=" } });
    expect(proxied.body.actor).toBe("admin");
  });

  test("a logout ends the session and deletes the cookie", async () => {
    const { origin, send, cookie } = await signedIn();
    const foreign = await send("POST", "/logout", { headers: { cookie, origin: "https://evil.example" } });
    expect(foreign.body.error).toBe("ORIGIN_REFUSED");
    const answer = await send("POST", "/logout", { headers: { cookie, origin } });
    expect(answer.body).toEqual({ success: true });
    expect(answer.headers.get("set-cookie")).toMatch(/^andon_session=;.*Expires=Thu, 01 Jan 1970/);
    expect((await send("GET", "/me", { headers: { cookie } })).status).toBe(401);
  });

  test("a link made by a session of a key ends with that key", async () => {
    const { origin, send } = await bench().listen();
    const { id, token } = await bench().access.keys.create({ name: "chief", permissions: ["admin"] }, ADMIN);
    const cookie = cookieOf(await send("POST", "/login", { body: { token } }));
    const link = await send("POST", "/admin/login-links", { headers: { cookie, origin } });
    await bench().access.keys.revoke(id, ADMIN);
    const login = await send("POST", "/login", { body: { code: codeIn(link.body.url) } });
    expect(login.body.error).toBe("LOGIN_FAILED");
  });

  test("failed logins and wrong tokens are slowed with 429, valid ones never", async () => {
    const { send } = await bench().listen();
    for (let i = 0; i < 5; i++) {
      expect((await send("POST", "/login", { body: { code: `wrong-${i}` } })).status).toBe(401);
    }
    const slowed = await send("POST", "/login", { body: { token: "wrong" } });
    expect([slowed.status, slowed.body.error]).toEqual([429, "LOGIN_SLOWED"]);
    expect(Number(slowed.headers.get("retry-after"))).toBe(slowed.body.details.seconds);
    expect((await send("POST", "/login", { body: { token: ADMIN_TOKEN } })).status).toBe(200);
    for (let i = 0; i < 20; i++) {
      expect((await send("GET", "/me", { headers: bearer(`andon_wrong-${i}`) })).status).toBe(401);
    }
    const guessed = await send("GET", "/me", { headers: bearer("no-key-at-all") });
    expect([guessed.status, guessed.body.error]).toEqual([429, "TOKENS_SLOWED"]);
    expect(Number(guessed.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send("GET", "/me", { headers: asAdmin })).status).toBe(200);
    expect((await send("GET", "/me")).status).toBe(401);
  });

  test("administrators see the open logins and end one, or all but their own", async () => {
    const { origin, send } = await bench().listen();
    const { id: keyId, token } = await bench().access.keys.create(
      { name: "viewer", permissions: ["queue.read"] },
      ADMIN,
    );
    const cookies: string[] = [];
    for (const given of [ADMIN_TOKEN, token, ADMIN_TOKEN])
      cookies.push(cookieOf(await send("POST", "/login", { body: { token: given } })));
    const [own = "", viewer = "", other = ""] = cookies;
    const me = async (cookie: string) => (await send("GET", "/me", { headers: { cookie } })).status;
    const headers = { cookie: own, origin };
    expect((await send("GET", "/admin/sessions", { headers: { cookie: viewer } })).status).toBe(403);
    const { items } = (await send("GET", "/admin/sessions?limit=100", { headers })).body;
    expect(items.filter(({ isOwn }: { isOwn: boolean }) => isOwn)).toHaveLength(1);
    const found = items.find((item: { keyId: string | null }) => item.keyId === keyId);
    expect(found).toMatchObject({ actor: "key:viewer", permissions: ["queue.read"], isOwn: false });
    expect(JSON.stringify(items)).not.toContain("oken");
    const ended = await send("DELETE", `/admin/sessions/${found.id}`, { headers });
    expect([ended.status, ended.body.id, await me(viewer)]).toEqual([200, found.id, 401]);
    const again = await send("DELETE", `/admin/sessions/${found.id}`, { headers });
    expect([again.status, again.body.error]).toEqual([404, "SESSION_NOT_FOUND"]);
    const rest = await send("DELETE", "/admin/sessions", { headers });
    expect(rest.body.ended).toBeGreaterThanOrEqual(1);
    expect([await me(own), await me(other)]).toEqual([200, 401]);
    const rows = await bench().andon.audit({ action: "session.end", target: `session:${found.id}` });
    expect(rows.items).toMatchObject([{ actor: "admin", before: { actor: "key:viewer" }, after: null }]);
  });

  test.for([{}, { code: "" }, { token: "" }, { code: "x", token: "y" }, { code: 1 }])(
    "a login with %j is refused as invalid",
    async (body) => {
      const { send } = await bench().listen();
      const answer = await send("POST", "/login", { body });
      expect([answer.status, answer.body.error]).toEqual([400, "VALIDATION_FAILED"]);
    },
  );
});
