import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createDatabase, type NodeChild, spawnNode } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { STORES } from "../harness.ts";
import { filesBelow } from "../sync/flaky-vault.ts";
import { Player } from "./play.ts";
import { SteadyClient } from "./steady-client.ts";
import { Chance, digestOf } from "./vault-model.ts";

/**
 * Random changes of files and folders while the NAS goes away, comes back and fills up, and the server is killed: in
 * the end every acknowledged change is on the NAS, byte for byte, and nothing else is there. `ANDON_LONG=1` runs
 * longer; `ANDON_SEED` repeats a run.
 */
const isLong = process.env.ANDON_LONG !== undefined;
const STEPS = isLong ? 3_000 : 90;
const KILLS = isLong ? 30 : 2;
const seed = Number(process.env.ANDON_SEED ?? Math.floor(Math.random() * 1_000_000));
const TROUBLES = ["away", "back", "full", "room", "back", "room"] as const;

describe.each(STORES)("a vault in trouble on %s", (store) => {
  test(`loses nothing (seed ${seed})`, { timeout: isLong ? 3_600_000 : 180_000 }, async () => {
    const data = mkdtempSync(join(tmpdir(), "andon-model-"));
    const database = store === "postgres" ? await createDatabase() : undefined;
    const chance = new Chance(seed);
    const client = new SteadyClient();
    let child: NodeChild | undefined;

    const start = async () => {
      const address = database?.url ?? `sqlite:${data}/andon.db`;
      child = spawnNode(new URL("./vault-process.fixture.mjs", import.meta.url), [data, address]);
      client.url = (await child.waitForLine("ready ", 60_000)).slice("ready ".length);
    };
    let reviving: Promise<void> | undefined;
    const revive = () => {
      reviving ??= start().finally(() => {
        reviving = undefined;
      });
      return reviving;
    };

    try {
      await start();
      const player = new Player(client, chance, revive);
      const kills = new Set(Array.from({ length: KILLS }, () => Math.floor(chance.next() * STEPS)));
      for (let step = 0; step < STEPS; step++) {
        if (chance.next() < 0.1) child?.send(chance.pick(TROUBLES));
        if (kills.has(step)) {
          const killed = pause(chance.next() * 30).then(() => child?.kill("SIGKILL"));
          await Promise.all([player.step(), killed]);
          await client.ask("GET", "/healthz").catch(revive);
        } else await player.step();
      }
      child?.send("back");
      child?.send("room");

      await cameToRest(client);
      const found = filesBelow(join(data, "nas")).filter((path) => path !== ".andon-nas");
      const onNas = found.map((path) => [path, digestOf(readFileSync(join(data, "nas", path)))]);
      expect(Object.fromEntries(onNas)).toEqual(player.model.onNas());
      for (const id of player.model.filesIn("ACTIVE", "TRASHED")) {
        const { body } = await client.ask("GET", `/files/${id}`);
        const { name, folderId, state } = player.model.files.get(id) ?? {};
        expect(body).toMatchObject({ name, folderId, state });
        expect(body.storage).toContainEqual({ type: "NAS", availabilityStatus: "AVAILABLE" });
      }
    } finally {
      await child?.kill("SIGKILL");
      await database?.drop();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

/** Waits until nothing is left to do; throws with the remaining jobs if that takes too long. */
async function cameToRest(client: SteadyClient): Promise<void> {
  const end = Date.now() + 90_000;
  for (;;) {
    const { body } = await client.ask("GET", "/admin/queue/status");
    const { waiting, active, delayed, failed } = body;
    if (waiting + active + delayed + failed === 0) return;
    if (Date.now() > end) {
      const standing = await client.ask("GET", "/admin/jobs?queue=nas-sync&state=scheduled&limit=5");
      throw new Error(`it did not come to rest: ${JSON.stringify([body, standing.body], null, 1)}`);
    }
    await pause(100);
  }
}
