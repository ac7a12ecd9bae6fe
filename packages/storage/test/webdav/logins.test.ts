import { openStorage, type Storage } from "@andon/storage";
import { startApache, type WebdavServer } from "@andon/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { authorization, challengeOf } from "../../src/webdav/webdav-login.ts";
import { failureOf, known, put, read } from "../bytes.ts";

let server: WebdavServer | undefined;
let storage: Storage | undefined;
afterEach(async () => {
  await storage?.close();
  await server?.stop();
  vi.unstubAllEnvs();
});

async function open(url: string): Promise<Storage> {
  await storage?.close();
  storage = await openStorage(url, { marker: true });
  return storage;
}

const login = { code: "LOGIN", fault: "destination" };

describe("a login over WebDAV", () => {
  it.each(["basic", "digest"] as const)(
    "uses the scheme that the server asks for (%s), and no message repeats the password",
    async (kind) => {
      server = await startApache({ login: kind });
      vi.stubEnv("NAS_PASSWORD", server.password);
      const bare = server.url.replace(/:[^:/@]+@/, "@");
      const place = await open(`${bare}?passwordEnv=NAS_PASSWORD`);
      expect(place.place).toBe(`webdav://127.0.0.1:${server.port}/dav/files`);
      await place.initMarker();
      const large = Buffer.alloc(3 * 1024 * 1024, "x");
      expect(await put(place, "a/b", large)).toEqual(known(large));
      expect(await place.health()).toEqual({ ok: true });
      const fresh = await open(server.url);
      const atOnce = Array.from({ length: 8 }, () => fresh.stat("a/b"));
      expect((await Promise.all(atOnce)).map((entry) => entry?.size)).toEqual(
        Array(8).fill(large.byteLength),
      );

      const wrong = await open(server.url.replace(/:[^:/@]+@/, ":hunter2@"));
      const failure = await failureOf(put(wrong, "x", "hello"));
      expect(failure).toMatchObject(login);
      expect(JSON.stringify(failure) + failure.message).not.toContain("hunter2");
      expect(await wrong.health()).toMatchObject({ ok: false, problem: login });
      const nobody = await open(`webdav://127.0.0.1:${server.port}/dav/files`);
      expect(await failureOf(nobody.stat("x"))).toMatchObject(login);
    },
  );

  it("prefers a digest to the password itself, and the stronger digest", () => {
    const offered = [
      'Basic realm="nas", Digest realm="nas", nonce="a, b", qop="auth,auth-int", algorithm=MD5',
    ];
    const better = 'Digest realm="n\\"as", nonce="c", qop="auth", algorithm=SHA-256';
    expect(challengeOf(offered)).toMatchObject({
      scheme: "digest",
      parts: { nonce: "a, b", algorithm: "MD5" },
    });
    expect(challengeOf([...offered, better])).toMatchObject({ parts: { nonce: "c", realm: 'n"as' } });
    expect(challengeOf(['Basic realm="nas"'])).toMatchObject({ scheme: "basic" });
    expect(challengeOf(["Negotiate", 'Digest algorithm=NEW, nonce="x"'])).toBeUndefined();
  });

  it("computes the standard's example of a digest without a quality of protection", () => {
    const challenge = challengeOf([
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    ]);
    if (!challenge) throw new Error("no challenge");
    const header = authorization(
      challenge,
      { user: "Mufasa", password: "CircleOfLife" },
      { method: "GET", path: "/dir/index.html" },
    );
    expect(header).toContain('response="1949323746fe6a43ef61f9606e7febea"');
  });
});

describe("a WebDAV server with a certificate", () => {
  it("is trusted through the authority that the address names, and not without it", async () => {
    server = await startApache({ tls: true });
    const place = await open(server.url);
    await place.initMarker();
    await put(place, "x", "hello");
    expect(await read(place, "x")).toBe("hello");
    const untrusted = { code: "UNTRUSTED", fault: "destination" };
    const without = await open(server.url.replace(/\?.*/, ""));
    expect(await failureOf(without.stat("x"))).toMatchObject(untrusted);
    const elsewhere = await open(server.url.replace("127.0.0.1", "localhost"));
    expect(await failureOf(elsewhere.stat("x"))).toMatchObject(untrusted);
  });

  it("is refused on opening if the file of its authority is missing", async () => {
    await expect(openStorage("webdavs://nas/x?ca=/none/ca.pem")).rejects.toThrow(/ca=\/none\/ca\.pem/);
  });
});

describe("a redirect", () => {
  it("to another server is not followed, because that server must not get the login", async () => {
    server = await startApache();
    const place = await open(server.url.replace("/dav/files", "/elsewhere"));
    const failure = await failureOf(place.stat("x"));
    expect(failure).toMatchObject({ code: "NOT_MOUNTED", fault: "destination" });
    expect(failure.message).toContain(`http://localhost:${server.port}/dav/files`);
  });

  it("within the server is followed for reads, and never for writes", async () => {
    server = await startApache();
    await (await open(server.url)).initMarker();
    await put(storage as Storage, "x", "hello");
    const place = await open(server.url.replace("/dav/files", "/moved"));
    expect(await read(place, "x")).toBe("hello");
    expect(await failureOf(put(place, "y", "hello"))).toMatchObject({ code: "NOT_MOUNTED" });
  });
});
