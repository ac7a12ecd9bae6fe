import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startApache, startSshd } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { until, VaultServer } from "../harness.ts";
import { filesBelow } from "./flaky-vault.ts";

/** A server that stores its files in a local folder, where a test can inspect them. */
interface NasServer {
  readonly url: string;
  readonly folder: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const SERVERS: [name: string, start: () => Promise<NasServer>][] = [
  ["SFTP", startSshd],
  ["WebDAV", startApache],
];

describe.each(SERVERS)("a NAS that is reached by %s", (_, start) => {
  test("gets every change, and the queue waits while its server is away", async () => {
    const nas = await start();
    const server = await VaultServer.start("sqlite", {
      vault: { nas: nas.url },
      settings: { queues: { "nas-sync": { attempts: 3, backoff: { delay: 200, max: 200 } } } },
    });
    const onNas = () =>
      Object.fromEntries(
        filesBelow(nas.folder)
          .filter((path) => path !== ".andon-nas" && !path.includes(".DAV/"))
          .map((path) => [path, readFileSync(join(nas.folder, path), "utf8")]),
      );
    const stateOf = async () => (await server.site.queues.get("nas-sync")?.queue.status())?.state;
    try {
      const folderId = await server.makeFolder("보고서 #1");
      const { fileId } = await server.upload({ name: "a 100%.txt", bytes: "hello", folderId });
      await server.synced();
      expect(onNas()).toEqual({ "보고서 #1/a 100%.txt": "hello" });

      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b.txt" } });
      await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: "root" } });
      await server.synced();
      expect(onNas()).toEqual({ "b.txt": "hello" });

      await server.done("DELETE", `/files/${fileId}`);
      await server.synced();
      expect(onNas()).toEqual({ [`.trash/${fileId}/b.txt`]: "hello" });
      await server.done("POST", `/files/${fileId}/restore`);
      await server.synced();
      expect(onNas()).toEqual({ "b.txt": "hello" });

      await nas.kill();
      await server.upload({ name: "c.txt", bytes: "while away" });
      await until(async () => (await stateOf()) !== "open");
      await until(async () => (await stateOf()) === "stopped");
      const [failed] = (await server.done("GET", "/admin/queue/failed")).items;
      expect(failed).toMatchObject({ eventType: "NAS_SYNC_UPLOAD", attemptsMade: 3 });
      const { body: ready } = await server.ask("GET", "/readyz");
      expect(ready.parts).toContainEqual(expect.objectContaining({ name: "nas", ok: false }));

      await nas.restart();
      await server.done("POST", "/admin/queue/retry-all");
      await server.done("POST", "/admin/queue/resume");
      await server.synced();
      expect(onNas()).toEqual({ "b.txt": "hello", "c.txt": "while away" });
    } finally {
      await server.close();
      await nas.stop();
    }
  }, 90_000);
});
