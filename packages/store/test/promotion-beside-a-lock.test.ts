import { Andon } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

/** On SQLite a lock is everybody's. */
test("a queue that another process has locked holds up the due jobs of no other queue", async () => {
  const database = await createDatabase();
  const [andon, other] = [new Andon(await openStore(database.url)), new Andon(await openStore(database.url))];
  onTestFinished(async () => {
    await Promise.all([andon.close(), other.close()]);
    await database.drop();
  });
  await andon.store.migrate();
  const [locked, free] = [andon.queue<string>("a-locked"), andon.queue<string>("free")];
  const { id } = await locked.add("x", { delay: 200 });
  await free.work(() => {});
  let letGo = () => {};
  let hasLock = () => {};
  const isLocked = new Promise<void>((resolve) => {
    hasLock = resolve;
  });
  const holding = other.store.transaction("hold", async (tx) => {
    await tx.lockQueue("a-locked", "exclusive");
    hasLock();
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
  });
  await isLocked;
  const due = [await free.add("first", { delay: 300 }), await free.add("second", { delay: 900 })];
  try {
    for (const job of due) await until(async () => (await andon.job(job.id))?.state === "done");
    expect((await andon.job(id))?.state).toBe("scheduled");
  } finally {
    letGo();
  }
  await holding;
  await until(async () => (await andon.job(id))?.state === "ready");
});
