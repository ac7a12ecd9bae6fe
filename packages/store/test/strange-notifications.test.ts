import { Andon, type Signal } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

test("a notification that is not ours makes workers look, and harms nobody", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const andon = new Andon(await openStore(database.url));
  onTestFinished(() => andon.close());
  const heard: Signal[] = [];
  andon.store.onSignal((signal) => heard.push(signal));
  const queue = andon.queue<string>("line");
  await queue.work((job) => job.payload);
  // The first look of a new listener is of this kind too.
  await until(async () => heard.some(({ kind }) => kind === "any"));
  for (const strange of ["hello", "null", "[]", '{"from":1}', ""]) {
    heard.length = 0;
    await andon.store.query("select pg_notify('andon', $1)", [strange]);
    await until(async () => heard.some(({ kind }) => kind === "any"));
  }
  const { id } = await queue.add("still here");
  expect(await until(async () => (await andon.job(id))?.result)).toBe("still here");
});
