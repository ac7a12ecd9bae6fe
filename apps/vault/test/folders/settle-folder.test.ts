import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STORES, type StoreName, until, VaultServer } from "../harness.ts";
import { VaultGround } from "../vault-process.ts";

/**
 * The fail point at which a process dies, after how many transactions, and the state that the folder must be settled
 * to.
 */
const DEATHS = [
  {
    when: "before the NAS was asked",
    action: "DELETE",
    failAt: "caller:after-commit",
    failAfter: 0,
    ends: "ACTIVE",
  },
  {
    when: "after the NAS has moved it",
    action: "DELETE",
    failAt: "caller:before-commit",
    failAfter: 1,
    ends: "TRASHED",
  },
  {
    when: "before the NAS was asked",
    action: "restore",
    failAt: "caller:after-commit",
    failAfter: 2,
    ends: "TRASHED",
  },
  {
    when: "after the NAS has removed it from the trash",
    action: "restore",
    failAt: "caller:before-commit",
    failAfter: 3,
    ends: "ACTIVE",
  },
] as const;

async function untilItDies(ground: VaultGround, death: (typeof DEATHS)[number]): Promise<string> {
  const { child, url } = await ground.spawn(death);
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${ground.adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { id: string };
  };
  const { id } = await ask("POST", "/folders", { name: "f" });
  const dying = async () => {
    await ask("DELETE", `/folders/${id}`);
    await ask("POST", `/folders/${id}/restore`);
  };
  await expect(dying()).rejects.toThrow();
  expect((await child.exited).signal).toBe("SIGKILL");
  return id;
}

/** Runs the delayed job now. */
async function settle(server: VaultServer): Promise<void> {
  const queue = server.site.queues.get("vault")?.queue;
  const waiting = await queue?.jobs("scheduled");
  for (const { id } of waiting?.items ?? []) await queue?.runNow(id, { actor: "test" });
}

describe.each(STORES)("a folder whose process died on %s", (store: StoreName) => {
  test.each(DEATHS)("$when ($action) is settled as $ends", { timeout: 60_000 }, async (death) => {
    const ground = await VaultGround.make(store);
    try {
      const id = await untilItDies(ground, death);
      const server = await VaultServer.start(store, { ground });
      try {
        expect(await server.done("GET", `/folders/${id}`)).toMatchObject({ state: "TRASHING" });
        expect((await server.uploadReply({ name: "a", folderId: id })).body.error).toBe("PARENT_TRASHED");
        expect((await server.refused("POST", "/folders", { body: { name: "f" } })).error).toBe("NAME_TAKEN");
        await settle(server);
        const state = () => server.done("GET", `/folders/${id}`).then((folder) => folder.state);
        await until(async () => (await state()) !== "TRASHING");
        expect(await state()).toBe(death.ends);
        const isTrashed = death.ends === "TRASHED";
        expect(existsSync(join(ground.data, "nas", ".trash", id))).toBe(isTrashed);
        expect(await server.done("GET", "/trash")).toMatchObject({ total: isTrashed ? 1 : 0 });
        if (isTrashed) expect((await server.done("POST", `/folders/${id}/restore`)).path).toBe("/f");
        else expect((await server.done("DELETE", `/folders/${id}`)).state).toBe("TRASHED");
      } finally {
        await server.close();
      }
    } finally {
      await ground.clean();
    }
  });
});
