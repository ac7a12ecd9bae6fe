import { createHash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STORES, VaultServer } from "../harness.ts";
import { housekeep } from "../housekeeping.ts";
import { peakMemory, VaultGround } from "../vault-process.ts";
import { cachedFiles } from "./cached.ts";

const MEGABYTE = 1_000_000;
const piece = new Uint8Array(MEGABYTE).fill(7);

async function* form(megabytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n');
  for (let sent = 0; sent < megabytes; sent++) yield piece;
  yield Buffer.from("\r\n--b--\r\n");
}

function send(url: string, token: string, megabytes: number): Promise<Response> {
  return fetch(new URL("/files/upload", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" },
    body: form(megabytes),
    duplex: "half",
  } as RequestInit);
}

describe.each(STORES)("the process that receives an upload on %s", (store) => {
  test("receives 200 MB without keeping them in memory", { timeout: 90_000 }, async () => {
    const ground = await VaultGround.make(store);
    try {
      const { child, url } = await ground.spawn();
      expect((await send(url, "wrong", 1)).status).toBe(401);
      const before = peakMemory(child);
      const response = await send(url, ground.adminToken, 200);
      const made = (await response.json()) as { size: number; sha256: string };
      const expected = createHash("sha256");
      for (let sent = 0; sent < 200; sent++) expected.update(piece);
      expect([response.status, made.size, made.sha256]).toEqual([
        200,
        200 * MEGABYTE,
        expected.digest("hex"),
      ]);
      expect(peakMemory(child) - before).toBeLessThan(100 * MEGABYTE);
    } finally {
      await ground.clean();
    }
  });

  test("leaves bytes to the clean-up if it dies before the commit", { timeout: 90_000 }, async () => {
    const ground = await VaultGround.make(store);
    try {
      const { child, url } = await ground.spawn({ failAt: "upload:before-commit" });
      await expect(send(url, ground.adminToken, 1)).rejects.toThrow();
      expect((await child.exited).signal).toBe("SIGKILL");
      const cache = join(ground.data, "cache");
      const [orphan] = cachedFiles(cache);
      expect(cachedFiles(cache)).toHaveLength(1);
      const server = await VaultServer.start(store, { ground });
      try {
        const { fileId } = await server.upload({ name: "kept", bytes: "kept" });
        expect(cachedFiles(cache)).toHaveLength(2);
        expect((await housekeep(server, "clean-cache")).state).toBe("done");
        expect(cachedFiles(cache)).toHaveLength(2);
        const twoHoursAgo = Date.now() / 1_000 - 2 * 3_600;
        for (const file of cachedFiles(cache)) utimesSync(file, twoHoursAgo, twoHoursAgo);
        await housekeep(server, "clean-cache");
        const left = cachedFiles(cache);
        expect([left.length, left.includes(orphan as string)]).toEqual([1, false]);
        expect(await server.done("GET", `/files/${fileId}/content`)).toBe("kept");
        expect(await server.rows("select id from files")).toEqual([{ id: fileId }]);
      } finally {
        await server.close();
      }
    } finally {
      await ground.clean();
    }
  });
});
