import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type SambaServer, startSamba } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectPlaces } from "../../src/nas/inspect-places.ts";
import { until, VaultServer } from "../harness.ts";

describe("a vault whose NAS is an SMB share", () => {
  let samba: SambaServer;
  let server: VaultServer;
  beforeAll(async () => {
    samba = await startSamba();
    server = await VaultServer.start("sqlite", {
      vault: { nas: `${samba.url}/company/nas` },
      settings: { queues: { "nas-sync": { attempts: 100, backoff: { delay: 50, max: 200 } } } },
    });
  });
  afterAll(async () => {
    await server?.close();
    await samba?.stop();
  });

  /** The files on the share, without the marker. */
  function onShare(): Record<string, string> {
    const root = join(samba.folder, "company/nas");
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    return Object.fromEntries(
      files
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => !path.endsWith(".andon-nas"))
        .map((path) => [relative(root, path), readFileSync(path, "utf8")])
        .sort(),
    );
  }
  const queueState = async () => (await server.site.queues.get("nas-sync")?.queue.status())?.state;
  const nasReady = async () => {
    const { parts } = (await server.ask("GET", "/readyz")).body;
    return parts.find(({ name }: { name: string }) => name === "nas");
  };

  it("gets uploads, moves, renames, and moves to the trash and back", async () => {
    const folderId = await server.makeFolder("보고서; !rm");
    const { fileId } = await server.upload({ name: "a'b.txt", bytes: "hello" });
    await server.synced();
    expect(onShare()).toEqual({ "a'b.txt": "hello" });
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: folderId } });
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "c'd.txt" } });
    await server.synced();
    expect(onShare()).toEqual({ "보고서; !rm/c'd.txt": "hello" });
    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    expect(onShare()).toEqual({ [`.trash/${fileId}/c'd.txt`]: "hello" });
    await server.done("POST", `/files/${fileId}/restore`);
    await server.synced();
    expect(onShare()).toEqual({ "보고서; !rm/c'd.txt": "hello" });
    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
    expect(onShare()).toEqual({});
  });

  it("refuses names at once that SMB does not allow", async () => {
    for (const name of ["CON", "a?b", "a."]) {
      const { status, error } = await server.refused("POST", "/folders", { body: { name } });
      expect([name, status, error]).toEqual([name, 400, "INVALID_NAME"]);
    }
    const { fileId } = await server.upload({ name: "Report.txt", bytes: "x" });
    const { error } = await server.refused("POST", "/folders", { body: { name: "report.TXT" } });
    expect(error).toBe("NAME_TAKEN");
    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
  });

  it("degrades its queue while the server is away, and continues when it is back", async () => {
    expect(await nasReady()).toMatchObject({ ok: true });
    await samba.kill();
    const names = ["a", "b", "c"];
    for (const name of names) await server.upload({ name, bytes: name });
    await until(async () => (await queueState()) === "degraded");
    expect(await nasReady()).toMatchObject({
      ok: false,
      problem: expect.stringContaining("CONNECTION_REFUSED"),
    });
    await samba.restart();
    await server.synced();
    expect(onShare()).toEqual({ a: "a", b: "b", c: "c" });
    expect(await queueState()).toBe("open");
    expect(await server.done("GET", "/admin/queue/status")).toMatchObject({ isPaused: false, failed: 0 });
  });

  it("shows the doctor the share's mark, its content and its free space", async () => {
    const places = { cache: `file:${server.cacheFolder}`, nas: `${samba.url}/company/nas` };
    const { nas } = await inspectPlaces(places, undefined);
    expect(nas).toMatchObject({ mark: "unremembered", problem: undefined, free: expect.any(Number) });
    expect(nas.entries).toBeGreaterThanOrEqual(3);
  });

  it("remembers its NAS without user and password", async () => {
    const rows = await server.rows<{ url: string }>("select url from vault_nas");
    expect(rows).toEqual([{ url: `smb://127.0.0.1:${samba.port}/files/company/nas` }]);
  });
});
