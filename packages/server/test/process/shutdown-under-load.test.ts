import { Andon } from "@andon/engine";
import { openStore } from "@andon/store";
import { createDatabase } from "@andon/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { STORES } from "../harness.ts";
import { ADMIN_TOKEN, ask, Folder, LOAD_CONFIG, listening } from "./server-process.ts";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const CALLERS = 8;
const ADDED_BEFORE_THE_SIGNAL = 150;

test.each(STORES)("SIGTERM under load loses no job that was answered, on %s", async (name) => {
  const database = name === "postgres" ? await createDatabase() : undefined;
  const store = database?.url ?? `sqlite:${folder.path}/andon.db`;
  const env = {
    ANDON_CONFIG: LOAD_CONFIG,
    ANDON_ADMIN_TOKEN: ADMIN_TOKEN,
    ANDON_STORE: store,
    WORK_LEDGER: folder.ledger,
  };
  const child = folder.start(env);
  const url = await listening(child);
  const answered: string[] = [];
  const refusals: number[] = [];
  async function keepAdding(): Promise<void> {
    for (;;) {
      // After the signal a connection may be refused or cut before an answer: then nothing was confirmed.
      const response = await ask(`${url}/load/load`, "POST").catch(() => undefined);
      if (!response) return;
      const body = (await response.json()) as { id: string };
      if (response.status !== 200) refusals.push(response.status);
      else if (answered.push(body.id) === ADDED_BEFORE_THE_SIGNAL) process.kill(child.pid, "SIGTERM");
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, keepAdding));
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(answered.length).toBeGreaterThanOrEqual(ADDED_BEFORE_THE_SIGNAL);
  expect(refusals.filter((status) => status !== 503)).toEqual([]);

  const andon = new Andon(await openStore(store));
  try {
    const running = await andon.store.read.runningOf({});
    expect(running).toEqual([]);
    expect(await andon.workers()).toEqual([]);
    const next = folder.start(env);
    await listening(next);
    const queue = andon.queue("load");
    const { counts } = await queue.drained();
    await next.kill("SIGTERM");
    const worked = folder.worked().map(({ id }) => id);
    expect(answered.filter((id) => !worked.includes(id))).toEqual([]);
    expect(counts.failed).toBe(0);
    expect(new Set(worked).size).toBe(worked.length);
    const events = await andon.store.read.events(0, 10_000);
    expect(events.filter(({ type }) => type === "job.lost")).toEqual([]);
  } finally {
    await andon.close();
    await database?.drop();
  }
});
