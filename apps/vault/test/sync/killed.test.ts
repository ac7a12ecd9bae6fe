import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, spawnNode } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { STORES, until } from "../harness.ts";
import { SteadyClient, Unknown } from "../model/steady-client.ts";
import { filesBelow } from "./flaky-vault.ts";

const PROCESS = new URL("../model/vault-process.fixture.mjs", import.meta.url);

describe.each(STORES)("a server that is killed between the NAS and the commit on %s", (store) => {
  test("repeats every operation, and each has the expected result", { timeout: 180_000 }, async () => {
    const data = mkdtempSync(join(tmpdir(), "andon-killed-"));
    const database = store === "postgres" ? await createDatabase() : undefined;
    const address = database?.url ?? `sqlite:${data}/andon.db`;
    const client = new SteadyClient();
    const onNas = () =>
      Object.fromEntries(
        filesBelow(join(data, "nas"))
          .filter((path) => path !== ".andon-nas")
          .map((path) => [path, readFileSync(join(data, "nas", path), "utf8")]),
      );

    const untilCompleted = (operations: number) =>
      until(async () => {
        const { body } = await client.ask("GET", "/admin/queue/status");
        return body.completed === operations && body;
      });

    /**
     * Runs a server that finishes what the previous one left undone, and that dies after the next operation is done on
     * the NAS and before its commit. An operation can run several times before it is finished: on a busy machine a
     * lease expires.
     */
    const armed = join(data, "armed");
    const killedAfter = async (operations: number, work: () => Promise<void>) => {
      rmSync(armed, { force: true });
      const child = spawnNode(PROCESS, [data, address], {
        ANDON_FAIL_POINT: "handler:before-commit",
        ANDON_FAIL_WHEN: armed,
      });
      client.url = (await child.waitForLine("ready ", 60_000)).slice("ready ".length);
      await untilCompleted(operations);
      writeFileSync(armed, "");
      // The operation can be done, and the process dead, before the answer is sent.
      await work().catch((error: unknown) => {
        if (!(error instanceof Unknown)) throw error;
      });
      return child.exited;
    };

    try {
      const form = new FormData();
      form.set("file", new Blob(["bytes"]), "a");
      const first = await killedAfter(0, async () => {
        await client.ask("POST", "/files/upload", form);
      });
      expect(first.signal).toBe("SIGKILL");
      expect(onNas()).toEqual({ a: "bytes" });

      // The cache names bytes by the file's id; the answer with the id can be lost.
      const [fileId] = readdirSync(join(data, "cache"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name);

      const steps: [method: string, path: string, body: unknown, end: Record<string, string>][] = [
        ["PUT", `/files/${fileId}/rename`, { newName: "b" }, { b: "bytes" }],
        ["DELETE", `/files/${fileId}`, undefined, { [`.trash/${fileId}/b`]: "bytes" }],
        ["POST", `/files/${fileId}/restore`, undefined, { b: "bytes" }],
        ["DELETE", `/files/${fileId}?permanent=true`, undefined, {}],
      ];
      for (const [index, [method, path, body, end]] of steps.entries()) {
        const { signal } = await killedAfter(index + 1, async () => {
          await client.ask(method, path, body);
        });
        expect(signal).toBe("SIGKILL");
        expect(onNas()).toEqual(end);
      }

      const last = spawnNode(PROCESS, [data, address]);
      client.url = (await last.waitForLine("ready ", 60_000)).slice("ready ".length);
      expect(await untilCompleted(5)).toMatchObject({ waiting: 0, active: 0, failed: 0, delayed: 0 });
      expect(onNas()).toEqual({});
      expect((await client.ask("GET", `/files/${fileId}`)).status).toBe(404);
      await last.kill("SIGKILL");
    } finally {
      await database?.drop();
      rmSync(data, { recursive: true, force: true });
    }
  });
});
