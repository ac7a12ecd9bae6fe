import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAndonError } from "@andon/contract";
import { openStorage } from "@andon/storage";
import { type SambaServer, startSamba } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, put, read } from "../bytes.ts";
import { temporaryFolder } from "../places.ts";

describe("an SMB address", () => {
  it.each([
    "smb://host",
    "smb://user:secret@/share",
    "smb://user:secret@host/",
    "smb://us%25er:secret@host/share",
    "smb://user:secret@host/sha%22re",
    "smb://user:secret@host/share/a*",
    "smb://user:secret@host/share/CON",
    "smb://user:secret@-host/share",
    "smb://user:secret@host/share?encrypt=secret",
    "smb://user:secret@host/share?passwordEnv=secret-",
  ])("is refused, and no secret repeated (%j)", async (url) => {
    const error = await openStorage(url).catch((reason) => reason);
    expect(isAndonError(error, "STORAGE_URL")).toBe(true);
    expect(error.message).toContain("smb://");
    expect(error.message).not.toContain("secret");
  });

  it("names an unknown option", async () => {
    const opened = openStorage("smb://user:secret@host/share?encypt=required");
    await expect(opened).rejects.toThrow(/Did you mean "encrypt"/);
  });

  it("is opened without connecting, and shown without user, password and options", async () => {
    const url = "smb://work;me%40corp:secret@nas.example:4450/Shared%20files/a/b?encrypt=required";
    const storage = await openStorage(url);
    expect(storage.place).toBe("smb://nas.example:4450/Shared files/a/b");
    await storage.close();
  });
});

describe("a login over SMB", () => {
  let server: SambaServer;
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  const addressWith = (login: string, options = "") =>
    `smb://${login}@127.0.0.1:${server.port}/files${options}`;
  const healthOf = async (url: string) => {
    const storage = await openStorage(url);
    const health = await storage.health();
    await storage.close();
    return health;
  };

  beforeAll(async () => {
    server = await startSamba({ share: { "guest ok": "yes" } });
    home = await temporaryFolder();
  });
  afterAll(async () => {
    await server?.stop();
    await home?.close();
  });

  it("takes the password from the address, a variable or a file", async () => {
    const credentials = join(home.folder, "nas.credentials");
    writeFileSync(credentials, `username=${server.user}\npassword=${server.password}\ndomain=WORKGROUP\n`);
    process.env.SMB_TEST_PASSWORD = server.password;
    const urls = [
      server.url,
      addressWith(`WORKGROUP;${server.user}`, "?passwordEnv=SMB_TEST_PASSWORD"),
      `smb://127.0.0.1:${server.port}/files?credentials=${credentials}`,
      `${server.url}?encrypt=required`,
    ];
    for (const url of urls) expect(await healthOf(url)).toEqual({ ok: true });
    delete process.env.SMB_TEST_PASSWORD;
  });

  it("that fails is a fault of the destination, gives the reason, and repeats no secret", async () => {
    const failures = [
      [addressWith(`${server.user}:wrong-secret`), "LOGIN", /LOGON_FAILURE/],
      [addressWith(server.user, "?passwordEnv=SMB_NOT_SET"), "LOGIN", /SMB_NOT_SET/],
      [addressWith(server.user, "?credentials=/no/such/file"), "LOGIN", /ENOENT/],
      [server.url.replace("/files", "/none"), "NOT_MOUNTED", /BAD_NETWORK_NAME/],
      [server.url.replace(`:${server.port}`, ":1"), "UNREACHABLE", /CONNECTION_REFUSED/],
    ] as const;
    for (const [url, code, reason] of failures) {
      const health = await healthOf(url);
      expect(health).toMatchObject({ ok: false, problem: { code, fault: "destination" } });
      const { message } = health.ok ? { message: "" } : health.problem;
      expect(message).toMatch(reason);
      expect(message).not.toMatch(/secret|pass,word/);
    }
  });

  it("needs no user if the share allows guests", async () => {
    const storage = await openStorage(`smb://127.0.0.1:${server.port}/files`);
    await put(storage, "by-guest", "hello");
    expect(await read(storage, "by-guest")).toBe("hello");
    await storage.close();
  });

  it("shows the password in no command line", async () => {
    const storage = await openStorage(server.url);
    await put(storage, "seen", "hello");
    const lines = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(commandLineOf)
      .filter((line) => line.includes("smbclient"));
    expect(lines.some((line) => line.includes(String(server.port)))).toBe(true);
    expect(lines.join()).not.toContain(server.password);
    await storage.close();
  });

  it("to a server that does not encrypt fails if encryption is required", async () => {
    const plain = await startSamba({ server: { "server smb encrypt": "off" } });
    const [open, required] = [plain.url, `${plain.url}?encrypt=required`];
    expect(await healthOf(open)).toEqual({ ok: true });
    expect(await healthOf(required)).toMatchObject({ ok: false, problem: { fault: "destination" } });
    await plain.stop();
  });

  it("without smbclient names the package", async () => {
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    const health = await healthOf(server.url);
    process.env.PATH = path;
    expect(health).toMatchObject({ ok: false, problem: { code: "PROGRAM_MISSING", fault: "destination" } });
    expect(health.ok ? "" : health.problem.message).toContain("apt-get install smbclient");
  });

  it("leaves no process behind once the storage is closed", async () => {
    const storage = await openStorage(server.url);
    await Promise.all(["a", "b", "c"].map((path) => put(storage, path, path, `${path}-1`)));
    expect(sessionsOf(server)).toBeGreaterThan(0);
    await storage.close();
    await expect.poll(() => sessionsOf(server)).toBe(0);
    expect(await failureOf(storage.stat("a"))).toMatchObject({ message: "it did not fail" });
    await storage.close();
  });
});

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function sessionsOf({ port }: SambaServer): number {
  const { stdout } = spawnSync("ps", ["-eo", "stat,args"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(`--port ${port}`) && !line.startsWith("Z")).length;
}
