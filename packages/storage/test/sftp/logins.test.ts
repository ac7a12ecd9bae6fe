import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStorage } from "@andon/storage";
import { type SftpServer, startSshd } from "@andon/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { failureOf } from "../bytes.ts";
import { temporaryFolder } from "../places.ts";
import { startPasswordServer } from "./password-server.ts";

/** A program of the operating system, not of an npm package. */
const KEYGEN = "ssh-keygen";

describe("a login over SFTP", () => {
  let server: SftpServer;
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let base: string;
  beforeAll(async () => {
    server = await startSshd();
    home = await temporaryFolder();
    base = `sftp://${server.user}@127.0.0.1:${server.port}${server.folder}`;
    await openWith(server.url, (storage) => storage.initMarker());
  });
  afterAll(async () => {
    await server.stop();
    await home.close();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const wellKnown = () => `hostKey=${server.hostKey}`;
  const healthOf = (url: string) => openWith(url, (storage) => storage.health());

  it("accepts a key that is locked with a passphrase", async () => {
    vi.stubEnv("NAS_PASSPHRASE", server.passphrase);
    const locked = `${base}?key=${server.lockedKeyFile}&${wellKnown()}`;
    expect(await healthOf(`${locked}&passphraseEnv=NAS_PASSPHRASE`)).toEqual({ ok: true });
    expect(await healthOf(locked)).toMatchObject({ ok: false, problem: { code: "LOGIN" } });
  });

  it.each(["none", "nowhere"])("reports a key file that is invalid or missing (%s)", async (which) => {
    const file = join(home.folder, which);
    if (which === "none") await writeFile(file, "no key");
    const health = await healthOf(`${base}?key=${file}&${wellKnown()}`);
    expect(health).toMatchObject({ ok: false, problem: { code: "LOGIN", fault: "destination" } });
  });

  it("with a wrong password is refused, and no message repeats the password", async () => {
    const url = base.replace("@", ":hunter2@");
    const storage = await openStorage(`${url}?${wellKnown()}`, { marker: true });
    expect(storage.place).toBe(`sftp://127.0.0.1:${server.port}${server.folder}`);
    const failure = await failureOf(storage.stat("x"));
    expect(failure).toMatchObject({ code: "LOGIN", fault: "destination" });
    expect(JSON.stringify(failure) + failure.message).not.toContain("hunter2");
    await storage.close();
  });

  it.each(["password", "keyboard-interactive"] as const)("accepts a password by %s", async (method) => {
    const other = await startPasswordServer(method, "right:one");
    vi.stubEnv("NAS_PASSWORD", "right:one");
    const address = (login: string) => `sftp://${login}@127.0.0.1:${other.port}/x?hostKey=${other.hostKey}`;
    // The server accepts only the right password, and then offers no SFTP.
    const well = { problem: { code: "NOT_SUPPORTED" } };
    expect(await healthOf(address("me:right%3Aone"))).toMatchObject(well);
    expect(await healthOf(`${address("me")}&passwordEnv=NAS_PASSWORD`)).toMatchObject(well);
    expect(await healthOf(address("me:wrong"))).toMatchObject({ problem: { code: "LOGIN" } });
    await other.close();
  });

  it("is not tried if the host key is unknown", async () => {
    const knownHosts = join(home.folder, "nobody");
    const health = await healthOf(`${base}?key=${server.keyFile}&knownHosts=${knownHosts}`);
    expect(health).toMatchObject({ ok: false, problem: { code: "UNTRUSTED", fault: "destination" } });
    const message = health.ok ? "" : health.problem.message;
    expect(message).toContain(`add hostKey=${server.hostKey} to the address, or the host to ${knownHosts}`);
  });

  it("is not tried if the host shows another key", async () => {
    const expected = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const health = await healthOf(`${base}?key=${server.keyFile}&hostKey=${expected}`);
    expect(health).toMatchObject({ problem: { code: "UNTRUSTED" } });
    const message = health.ok ? "" : health.problem.message;
    expect(message).toContain(`its host key is ${server.hostKey}, not ${expected}`);
  });

  it("trusts a host that the known_hosts file names, in clear text or hashed, and no other", async () => {
    const file = join(home.folder, "known_hosts");
    const health = async (text: string) => {
      await writeFile(file, text);
      return await healthOf(`${base}?key=${server.keyFile}&knownHosts=${file}`);
    };
    const { knownHost } = server;
    expect(await health(`# ours\n\nelsewhere ssh-ed25519 AAAA\n${knownHost}`)).toEqual({ ok: true });
    await writeFile(file, knownHost);
    spawnSync(KEYGEN, ["-H", "-f", file]);
    const hashed = readFileSync(file, "utf8");
    expect(hashed).toContain("|1|");
    expect(await health(hashed)).toEqual({ ok: true });
    expect(await health(knownHost.replace("127.0.0.1", "127.0.0.*"))).toEqual({ ok: true });
    const untrusted = { ok: false, problem: { code: "UNTRUSTED" } };
    expect(await health(`@revoked ${knownHost}`)).toMatchObject(untrusted);
    expect(await health(`@cert-authority ${knownHost}`)).toMatchObject(untrusted);
    expect(await health(knownHost.replace(`:${server.port}`, ":1"))).toMatchObject(untrusted);
    expect(await health(knownHost.replace("[127", "![127.0.0.1]:*,[127"))).toMatchObject(untrusted);
    expect(await health(knownHost.replace(/AAAA.{40}/, `AAAA${"B".repeat(40)}`))).toMatchObject(untrusted);
  });

  it("names an unknown option, and a variable that is not set", async () => {
    await expect(openStorage(`${base}?hostkey=x`)).rejects.toThrow(/Did you mean "hostKey"/);
    await expect(openStorage(`${base}?passwordEnv=NAS_NONE`)).rejects.toThrow(/passwordEnv=NAS_NONE/);
  });
});

async function openWith<T>(
  url: string,
  use: (storage: Awaited<ReturnType<typeof openStorage>>) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(url, { marker: true });
  try {
    return await use(storage);
  } finally {
    await storage.close();
  }
}
