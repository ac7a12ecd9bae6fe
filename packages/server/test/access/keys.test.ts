import { isAndonError } from "@andon/contract";
import { expect, test, vi } from "vitest";
import { ADMIN, ADMIN_TOKEN, asAdmin, bearer, describeAccess } from "./bench.ts";

const READ = { name: "reader", permissions: ["queue.read" as const] };

describeAccess("API keys", (bench) => {
  test("a new key's token has the key's permissions, and is stored in no table and no log", async () => {
    const { access, rows, logged } = bench();
    const key = await access.keys.create({ ...READ, tenantId: "shop", organizationId: "north" }, ADMIN);
    expect(key.token).toMatch(/^andon_[\w-]{43}$/);
    const found = await access.authenticate(bearer(key.token));
    expect(found?.principal).toEqual({
      actor: "key:reader",
      keyId: key.id,
      permissions: ["queue.read"],
      tenantId: "shop",
      organizationId: "north",
    });
    const tables = ["server_keys", "andon_audit", "andon_events", "server_sessions", "server_login_codes"];
    const stored = JSON.stringify(await Promise.all(tables.map((table) => rows(`select * from ${table}`))));
    expect(stored).toContain(key.id);
    expect(stored).not.toContain(key.token.slice("andon_".length));
    expect(logged.join("")).not.toContain(key.token);
  });

  test("a list shows the newest first, page by page, and never a token or its hash", async () => {
    const { access } = bench();
    const made = [];
    for (const name of ["one", "two", "three"]) made.push(await access.keys.create({ ...READ, name }, ADMIN));
    const first = await access.keys.list(ADMIN, 1, 2);
    const second = await access.keys.list(ADMIN, 2, 2);
    expect(first.items.map((key) => key.name)).toEqual(["three", "two"]);
    expect(second.items[0]?.name).toBe("one");
    expect(first.total).toBeGreaterThanOrEqual(3);
    expect(Object.keys(first.items[0] ?? {}).sort()).toEqual(
      Object.keys(made[0] ?? {})
        .filter((member) => member !== "token")
        .sort(),
    );
  });

  test("an organisation without a tenant belongs to the default tenant", async () => {
    const key = await bench().access.keys.create({ ...READ, organizationId: "north" }, ADMIN);
    expect([key.tenantId, key.organizationId]).toEqual(["default", "north"]);
  });

  test("a revocation takes effect at once in another process, and is written once", async () => {
    const { access, another, andon } = bench();
    const other = await another();
    const { id, token } = await access.keys.create(READ, ADMIN);
    expect(await other.authenticate(bearer(token))).toBeDefined();
    const revoked = await access.keys.revoke(id, { ...ADMIN, actor: "key:chief" });
    expect(await other.authenticate(bearer(token))).toBeUndefined();
    expect((await access.keys.revoke(id, ADMIN)).revokedAt).toBe(revoked.revokedAt);
    const { items } = await andon.audit({ target: `key:${id}` });
    expect(items.map(({ actor, action }) => [actor, action])).toEqual([
      ["key:chief", "key.revoke"],
      ["admin", "key.create"],
    ]);
    const plain = { ...READ, tenantId: null, organizationId: null, expiresAt: null, revokedAt: null };
    expect(items[1]).toMatchObject({ before: null, after: plain });
    expect(items[0]).toMatchObject({ before: plain, after: { ...plain, revokedAt: revoked.revokedAt } });
  });

  test("revoking an unknown key is KEY_NOT_FOUND", async () => {
    const error = await bench()
      .access.keys.revoke("nobody's", ADMIN)
      .catch((thrown) => thrown);
    expect(isAndonError(error, "KEY_NOT_FOUND")).toBe(true);
  });

  test("a key expires at its time, and cannot be created with a time in the past", async () => {
    const { access, clock } = bench();
    const { token } = await access.keys.create({ ...READ, expiresAt: clock.now() + 60_000 }, ADMIN);
    expect(await access.authenticate(bearer(token))).toBeDefined();
    clock.pass(61_000);
    expect(await access.authenticate(bearer(token))).toBeUndefined();
    const error = await access.keys
      .create({ ...READ, expiresAt: clock.now() - 1 }, ADMIN)
      .catch((thrown) => thrown);
    expect(isAndonError(error, "VALIDATION_FAILED")).toBe(true);
  });

  test("the last use is written after the request, once a minute", async () => {
    const { access, clock, rows } = bench();
    const { id, token } = await access.keys.create(READ, ADMIN);
    const lastUse = async () =>
      (await rows<{ at: number | null }>("select last_used_at as at from server_keys where id = $1", [id]))[0]
        ?.at;
    await access.authenticate(bearer(token));
    const first = await vi.waitFor(async () => (await lastUse()) ?? Promise.reject(new Error("not yet")));
    clock.pass(30_000);
    await access.authenticate(bearer(token));
    clock.pass(31_000);
    const second = await vi.waitFor(async () => {
      await access.authenticate(bearer(token));
      const at = await lastUse();
      return at && at !== first ? at : Promise.reject(new Error("not yet"));
    });
    expect(second - first).toBeGreaterThanOrEqual(60_000);
  });

  test("the admin token authenticates the administrator; a similar token authenticates nobody", async () => {
    const { access } = bench();
    const admin = await access.authenticate({ authorization: `bearer  ${ADMIN_TOKEN}` });
    expect(admin).toMatchObject({
      principal: { actor: "admin", permissions: ["admin"], tenantId: null, organizationId: null },
      by: "token",
    });
    for (const wrong of ["", "x", ADMIN_TOKEN.slice(1), `${ADMIN_TOKEN}x`, "andon_", "a.b.c"]) {
      expect(await access.authenticate(bearer(wrong)), wrong).toBeUndefined();
    }
    expect(await access.authenticate({ authorization: ADMIN_TOKEN })).toBeUndefined();
    expect(await access.authenticate({})).toBeUndefined();
  });

  test("over HTTP only administrators create, list and revoke keys", async () => {
    const { listen } = bench();
    const { send } = await listen();
    const body = {
      name: "ops",
      permissions: ["queue.read", "queue.read"],
      expiresAt: "2999-01-01T00:00:00Z",
    };
    const made = await send("POST", "/admin/keys", { headers: asAdmin, body });
    expect(made.status).toBe(201);
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect(made.body).toMatchObject({
      permissions: ["queue.read"],
      createdBy: "admin",
      expiresAt: "2999-01-01T00:00:00.000Z",
    });
    const ops = bearer(made.body.token);
    expect((await send("GET", "/admin/keys", { headers: ops })).body.error).toBe("FORBIDDEN");
    const scoped = await send("POST", "/admin/keys", {
      headers: asAdmin,
      body: { name: "shop", permissions: ["admin"], tenantId: "shop" },
    });
    const list = await send("GET", "/admin/keys", { headers: bearer(scoped.body.token) });
    expect(list.body.items[0].name).toBe("shop");
    expect(list.body.items.every((key: { tenantId: string }) => key.tenantId === "shop")).toBe(true);
    expect((await send("GET", "/admin/keys?limit=1", { headers: asAdmin })).body.items).toHaveLength(1);
    const gone = await send("DELETE", `/admin/keys/${made.body.id}`, { headers: asAdmin });
    expect(gone.body.revokedAt).not.toBeNull();
    expect((await send("GET", "/me", { headers: ops })).status).toBe(401);
  });

  test("an admin with a scope creates, sees and revokes only keys within that scope", async () => {
    const { send } = await bench().listen();
    const make = (headers: Record<string, string>, body: object) =>
      send("POST", "/admin/keys", { headers, body: { name: "k", permissions: ["admin"], ...body } });
    const shop = bearer((await make(asAdmin, { tenantId: "shop" })).body.token);
    const foreign = await make(shop, { tenantId: "mall" });
    expect([foreign.status, foreign.body.error]).toEqual([403, "PP-403-SCOPE"]);
    expect((await make(shop, {})).body).toMatchObject({ tenantId: "shop", organizationId: null });
    const north = await make(shop, { organizationId: 7 });
    expect(north.body).toMatchObject({ tenantId: "shop", organizationId: "7" });
    const ofNorth = bearer(north.body.token);
    expect((await make(ofNorth, { organizationId: "8" })).body.error).toBe("PP-403-SCOPE");
    expect((await make(ofNorth, {})).body).toMatchObject({ tenantId: "shop", organizationId: "7" });
    const seen = await send("GET", "/admin/keys", { headers: ofNorth });
    expect(seen.body.total).toBe(2);
    expect(seen.body.items.every((key: { organizationId: string }) => key.organizationId === "7")).toBe(true);
    const other = await make(asAdmin, { tenantId: "mall" });
    const gone = await send("DELETE", `/admin/keys/${other.body.id}`, { headers: shop });
    expect([gone.status, gone.body.error]).toEqual([404, "KEY_NOT_FOUND"]);
    expect((await send("DELETE", `/admin/keys/${north.body.id}`, { headers: shop })).status).toBe(200);
    expect((await send("GET", "/me", { headers: ofNorth })).status).toBe(401);
  });

  test.for([
    { name: " ", permissions: ["queue.read"] },
    { name: "x", permissions: [] },
    { name: "x", permissions: ["queue.write"] },
    { name: "x", permissions: ["queue.read"], expiresAt: "2001-01-01T00:00:00Z" },
    { name: "x", permissions: ["queue.read"], tenant: "shop" },
  ])("a key like %j is refused", async (body) => {
    const { send } = await bench().listen();
    const answer = await send("POST", "/admin/keys", { headers: asAdmin, body });
    expect([answer.status, answer.body.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.details).toHaveLength(1);
  });

  test.for([
    ["en", 'permissions.0: unknown permission (did you mean "queue.read"?).'],
    ["ko", 'permissions.0: 알 수 없는 권한입니다("queue.read"를 쓰려고 했나요?).'],
  ] as const)(
    "a mistyped permission is answered with the nearest one in %s",
    async ([language, sentence]) => {
      const { send } = await bench().listen();
      const headers = { ...asAdmin, "accept-language": language };
      const body = { name: "x", permissions: ["queue.raed"] };
      const answer = await send("POST", "/admin/keys", { headers, body });
      expect(answer.body.detail).toContain(sentence);
    },
  );
});
