import { Andon, type Signal } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

test("an unknown notification makes workers look, and does no harm", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const andon = new Andon(await openStore(database.url));
  onTestFinished(() => andon.close());
  const heard: Signal[] = [];
  andon.store.onSignal((signal) => heard.push(signal));
  const queue = andon.queue<string>("line");
  await queue.work((job) => job.payload);
  // The first look of a new listener has this kind too.
  await until(async () => heard.some(({ kind }) => kind === "any"));
  for (const strange of [
    "hello",
    "null",
    "[]",
    '{"from":1}',
    "",
    '{"signals":[null]}',
    '{"signals":[7,{"kind":"of a later version"}]}',
  ]) {
    heard.length = 0;
    await andon.store.query("select pg_notify('andon', $1)", [strange]);
    await until(async () => heard.some(({ kind }) => kind === "any"));
  }
  const { id } = await queue.add("still here");
  expect(await until(async () => (await andon.job(id))?.result)).toBe("still here");
});

test("signals of very many queues at once are all delivered", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const [here, there] = [await openStore(database.url), await openStore(database.url)];
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
  });
  const heard = new Set<string>();
  there.onSignal((signal) => heard.add(signal.kind === "work" ? signal.queue : signal.kind));
  // Delivered once the connection listens.
  await until(async () => heard.has("any"));
  for (let n = 0; n < 300; n++) here.signal({ kind: "work", queue: `a queue with a long name, number ${n}` });
  await until(async () => heard.size > 300);
});
