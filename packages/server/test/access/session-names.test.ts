import { expect, test } from "vitest";
import { ADMIN_TOKEN, asAdmin, bearer, cookieOf, describeAccess } from "./bench.ts";

describeAccess("names of the people behind sessions", (bench) => {
  async function signedIn(token = ADMIN_TOKEN) {
    const { send, origin } = await bench().listen();
    const cookie = cookieOf(await send("POST", "/login", { body: { token } }));
    const headers = { cookie, origin };
    return { send, headers };
  }

  test("a name is shown with the principal in this session's decisions, until it is removed", async () => {
    const { send, headers } = await signedIn();
    const me = await send("GET", "/me", { headers });
    expect(me.body).toMatchObject({ actor: "admin", name: null, canBeNamed: true });
    const named = await send("PUT", "/me/name", { headers, body: { name: " 민지 " } });
    expect([named.status, named.body.actor, named.body.name]).toEqual([200, "admin (민지)", "민지"]);
    await send("POST", "/admin/login-links", { headers });
    const decided = await bench().rows("select action from andon_audit where actor = $1", ["admin (민지)"]);
    expect(decided).toEqual([{ action: "login.link" }]);
    const removed = await send("PUT", "/me/name", { headers, body: { name: null } });
    expect(removed.body).toMatchObject({ actor: "admin", name: null });
  });

  test("a link made by a named person logs its reader in without that name", async () => {
    const { send, headers } = await signedIn();
    await send("PUT", "/me/name", { headers, body: { name: "Minji" } });
    const link = await send("POST", "/admin/login-links", { headers });
    const login = await send("POST", "/login", { body: { code: link.body.url.split("#code=")[1] } });
    expect(login.body).toMatchObject({ actor: "admin", name: null });
  });

  test.each(["", "a) (b", "admin (x)", "a\nb", "a\u202eb", "-x", "x".repeat(61)])(
    "%j is refused, since it could look like another principal",
    async (name) => {
      const { send, headers } = await signedIn();
      expect((await send("PUT", "/me/name", { headers, body: { name } })).status).toBe(400);
      expect((await send("GET", "/me", { headers })).body.actor).toBe("admin");
    },
  );

  test("no key can have the name of another key with a person's name", async () => {
    const { send } = await signedIn();
    const body = { name: "shop (Minji)", permissions: ["queue.read"] };
    expect((await send("POST", "/admin/keys", { headers: asAdmin, body })).status).toBe(400);
  });

  test("a token without a session cannot have a person's name", async () => {
    const { send } = await signedIn();
    const headers = bearer(ADMIN_TOKEN);
    const refused = await send("PUT", "/me/name", { headers, body: { name: "Minji" } });
    expect([refused.status, refused.body.error]).toEqual([409, "LOGIN_NOT_NAMED"]);
    expect((await send("GET", "/me", { headers })).body.canBeNamed).toBe(false);
  });
});
