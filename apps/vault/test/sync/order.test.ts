import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openStorage, type Storage } from "@andon/storage";
import { describe, expect, test } from "vitest";
import { STORES, VaultServer } from "../harness.ts";
import { filesBelow } from "./flaky-vault.ts";

/** A slow NAS, with a random delay for each call. */
function slow(nas: Storage): Storage {
  const SLOW = new Set(["put", "move", "remove", "stat", "removeFolderIfEmpty"]);
  return new Proxy(nas, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      if (!SLOW.has(String(name))) return member.bind(target);
      return async (...args: unknown[]) => {
        await pause(Math.random() * 4);
        return (member as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

type Round = (server: VaultServer, name: string) => Promise<Record<string, string>>;

/** The requests of one round, and the expected files on the NAS. */
const ROUNDS: Record<string, Round> = {
  "a file is trashed and a new one takes its name": async (server, name) => {
    const { fileId } = await server.upload({ name, bytes: `old ${name}` });
    await server.done("DELETE", `/files/${fileId}`);
    await server.upload({ name, bytes: `new ${name}` });
    return { [`.trash/${fileId}/${name}`]: `old ${name}`, [name]: `new ${name}` };
  },

  "a file is renamed and a new one takes its name": async (server, name) => {
    const { fileId } = await server.upload({ name, bytes: `first ${name}` });
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: `${name}-b` } });
    await server.upload({ name, bytes: `second ${name}` });
    return { [`${name}-b`]: `first ${name}`, [name]: `second ${name}` };
  },

  "two files swap their names": async (server, name) => {
    const rename = (id: string, newName: string) =>
      server.done("PUT", `/files/${id}/rename`, { body: { newName } });
    const [a, b] = await Promise.all([
      server.upload({ name: `${name}-a`, bytes: `a ${name}` }),
      server.upload({ name: `${name}-b`, bytes: `b ${name}` }),
    ]);
    await rename(a.fileId, `${name}-c`);
    await rename(b.fileId, `${name}-a`);
    await rename(a.fileId, `${name}-b`);
    return { [`${name}-a`]: `b ${name}`, [`${name}-b`]: `a ${name}` };
  },

  "a folder moves away and a new one is created in its place": async (server, name) => {
    const [folder, target] = [await server.makeFolder(name), await server.makeFolder(`${name}-to`)];
    await server.upload({ name: "x", bytes: `old ${name}`, folderId: folder });
    await server.done("POST", `/folders/${folder}/move`, { body: { targetFolderId: target } });
    await server.upload({ name: "x", bytes: `new ${name}`, folderId: await server.makeFolder(name) });
    return { [`${name}-to/${name}/x`]: `old ${name}`, [`${name}/x`]: `new ${name}` };
  },

  "a file goes and a folder takes its name": async (server, name) => {
    const { fileId } = await server.upload({ name, bytes: `file ${name}` });
    await server.done("DELETE", `/files/${fileId}`);
    await server.upload({ name: "x", bytes: `in ${name}`, folderId: await server.makeFolder(name) });
    return { [`.trash/${fileId}/${name}`]: `file ${name}`, [`${name}/x`]: `in ${name}` };
  },

  "a folder is renamed and a file takes its name": async (server, name) => {
    const folder = await server.makeFolder(name);
    await server.upload({ name: "x", bytes: `in ${name}`, folderId: folder });
    await server.done("PUT", `/folders/${folder}/rename`, { body: { newName: `${name}-b` } });
    await server.upload({ name, bytes: `file ${name}` });
    return { [`${name}-b/x`]: `in ${name}`, [name]: `file ${name}` };
  },
};

/** The number of rounds of each kind; all kinds run mixed. */
const COUNT = process.env.ANDON_LONG ? 200 : 35;
const AT_ONCE = 12;

describe.each(STORES)("operations of different files that use the same path on %s", (store) => {
  test(`keep their order: ${Object.keys(ROUNDS).join("; ")}`, { timeout: 600_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "andon-order-"));
    const nas = slow(await openStorage(`file:${folder}`, { marker: true }));
    const server = await VaultServer.start(store, { vault: { nas } });
    try {
      const expected: Record<string, string> = {};
      const kinds = Object.values(ROUNDS);
      const rounds = Array.from({ length: COUNT * kinds.length }, (_, index) => index);
      while (rounds.length > 0) {
        const together = rounds
          .splice(0, AT_ONCE)
          .map((index) => (kinds[index % kinds.length] as Round)(server, `n${index}`));
        Object.assign(expected, ...(await Promise.all(together)));
      }
      await server.site.queues.get("nas-sync")?.queue.drained();
      const found = filesBelow(folder).filter((path) => path !== ".andon-nas");
      expect(
        Object.fromEntries(found.map((path) => [path, readFileSync(join(folder, path), "utf8")])),
      ).toEqual(expected);
      expect(await server.rows("select code from andon_attempts where outcome = 'failed'")).toEqual([]);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
