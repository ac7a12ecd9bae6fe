import { isAndonError } from "@andon/contract";
import { expect, test } from "vitest";
import { ADMIN, ADMIN_TOKEN, bearer, describeAccess } from "./bench.ts";

const HOUR = 3_600_000;
const codeIn = (url: string) => ({ code: url.split("#code=")[1] as string });
const failed = (thrown: unknown) => isAndonError(thrown, "LOGIN_FAILED");

describeAccess("logins and sessions", (bench) => {
  test("a link has its code in the fragment and logs its maker in once", async () => {
    const { access, andon } = bench();
    const { url, expiresAt } = await access.loginLink("admin");
    expect(url).toMatch(/^http:\/\/console\.example:8400\/#code=[\w-]{43}$/);
    const entered = await access.login(codeIn(url), "10.0.0.1");
    expect(entered.principal).toEqual({
      actor: "admin",
      permissions: ["admin"],
      tenantId: null,
      organizationId: null,
    });
    expect(await access.authenticate({ session: entered.session })).toMatchObject({
      principal: entered.principal,
      by: "session",
    });
    expect(await access.login(codeIn(url), "10.0.0.1").catch(failed)).toBe(true);
    const { items } = await andon.audit();
    expect(items.slice(0, 2)).toMatchObject([
      { actor: "admin", action: "login", after: { expiresAt: entered.expiresAt } },
      { actor: "admin", action: "login.link", after: { expiresAt } },
    ]);
  });

  test("of two concurrent uses of one code in two processes, exactly one succeeds", async () => {
    const { access, another } = bench();
    const other = await another();
    for (let round = 0; round < 5; round++) {
      const given = codeIn((await access.loginLink("admin")).url);
      const uses = await Promise.allSettled([
        access.login(given, "10.0.1.1"),
        other.login(given, "10.0.1.2"),
      ]);
      expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    }
  });

  test("a code is valid for 15 minutes", async () => {
    const { access, clock } = bench();
    const given = codeIn((await access.loginLink("admin")).url);
    clock.pass(15 * 60_000 + 1_000);
    expect(await access.login(given, "10.0.0.2").catch(failed)).toBe(true);
  });

  test("a session lasts 12 hours, and the next login deletes expired sessions", async () => {
    const { access, clock, rows } = bench();
    const { session, expiresAt } = await access.login({ token: ADMIN_TOKEN }, "10.0.0.3");
    await access.loginLink("admin");
    expect(expiresAt - clock.now()).toBeLessThanOrEqual(12 * HOUR);
    clock.pass(11 * HOUR);
    expect(await access.authenticate({ session })).toBeDefined();
    clock.pass(HOUR + 1_000);
    expect(await access.authenticate({ session })).toBeUndefined();
    await access.login({ token: ADMIN_TOKEN }, "10.0.0.3");
    expect(await rows("select id from server_sessions")).toHaveLength(1);
    expect(await rows("select id from server_login_codes")).toHaveLength(0);
  });

  test("a session made from a key has the key's identity, and ends with it in every process", async () => {
    const { access, another } = bench();
    const other = await another();
    const input = { name: "kim", permissions: ["queue.read" as const], tenantId: "shop" };
    const { id, token } = await access.keys.create(input, ADMIN);
    const { session, principal } = await access.login({ token }, "10.0.0.4");
    expect(principal).toEqual({
      actor: "key:kim",
      keyId: id,
      permissions: ["queue.read"],
      tenantId: "shop",
      organizationId: null,
    });
    expect((await other.authenticate({ session }))?.principal).toEqual(principal);
    await access.keys.revoke(id, ADMIN);
    expect(await other.authenticate({ session })).toBeUndefined();
  });

  test("a session ends when the key that made it expires", async () => {
    const { access, clock } = bench();
    const expiresAt = clock.now() + HOUR;
    const { token } = await access.keys.create(
      { name: "short", permissions: ["queue.read"], expiresAt },
      ADMIN,
    );
    const entered = await access.login({ token }, "10.0.0.5");
    expect(entered.expiresAt).toBe(expiresAt);
    clock.pass(HOUR + 1_000);
    expect(await access.authenticate({ session: entered.session })).toBeUndefined();
  });

  test("a link made by a key, and the session from that link, end with the key", async () => {
    const { access } = bench();
    const { id, token } = await access.keys.create({ name: "chief", permissions: ["admin"] }, ADMIN);
    const caller = await access.authenticate(bearer(token));
    const used = await access.loginLink("key:chief", caller?.basis);
    const unused = await access.loginLink("key:chief", caller?.basis);
    const { session, principal } = await access.login(codeIn(used.url), "10.0.0.6");
    expect(principal.actor).toBe("key:chief");
    expect(await access.authenticate({ session })).toBeDefined();
    await access.keys.revoke(id, ADMIN);
    expect(await access.authenticate({ session })).toBeUndefined();
    expect(await access.login(codeIn(unused.url), "10.0.0.6").catch(failed)).toBe(true);
  });

  test("a logout ends the session at once and is audited; a second one changes nothing", async () => {
    const { access, andon } = bench();
    const { session } = await access.login({ token: ADMIN_TOKEN }, "10.0.0.7");
    const before = (await andon.audit()).total;
    await access.logout(session);
    await access.logout(session);
    expect(await access.authenticate({ session })).toBeUndefined();
    const { total, items } = await andon.audit();
    expect(total).toBe(before + 1);
    expect(items[0]).toMatchObject({ actor: "admin", action: "logout", target: items[1]?.target });
  });

  test("a failed login is logged with its address, not audited, and reveals nothing of the given secret", async () => {
    const { access, andon, logged } = bench();
    const before = (await andon.audit()).total;
    expect(await access.login({ token: "andon_guessed" }, "10.0.0.8").catch(failed)).toBe(true);
    expect(await access.login({ code: "guessed-code" }, "10.0.0.8").catch(failed)).toBe(true);
    expect((await andon.audit()).total).toBe(before);
    const lines = logged.filter((line) => line.includes("10.0.0.8"));
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toMatch(/guessed/);
  });

  test("neither a session nor a code is a bearer token, and neither is stored in plain text", async () => {
    const { access, rows, logged } = bench();
    const { url } = await access.loginLink("admin");
    const { session } = await access.login({ token: ADMIN_TOKEN }, "10.0.0.9");
    const secrets = [session, codeIn(url).code, ADMIN_TOKEN];
    for (const secret of secrets.slice(0, 2)) {
      expect(await access.authenticate(bearer(secret))).toBeUndefined();
    }
    const tables = ["server_sessions", "server_login_codes", "andon_audit", "andon_events"];
    const stored = JSON.stringify(await Promise.all(tables.map((table) => rows(`select * from ${table}`))));
    for (const secret of secrets) expect(stored + logged.join("")).not.toContain(secret);
  });

  test("the sixth failure of an address is slowed, other addresses and valid logins never", async () => {
    const { access, clock } = bench();
    for (let failure = 0; failure < 5; failure++) {
      expect(await access.login({ token: "wrong" }, "10.0.9.1").catch(failed)).toBe(true);
    }
    const slowed = await access.login({ token: "wrong" }, "10.0.9.1").catch((thrown) => thrown);
    expect(slowed).toMatchObject({ code: "LOGIN_SLOWED", details: { seconds: 5 } });
    expect(await access.login({ token: "wrong" }, "10.0.9.2").catch(failed)).toBe(true);
    clock.pass(5_001);
    expect(await access.login({ token: "wrong" }, "10.0.9.1").catch(failed)).toBe(true);
    expect((await access.login({ token: ADMIN_TOKEN }, "10.0.9.1")).principal.actor).toBe("admin");
  });
});
