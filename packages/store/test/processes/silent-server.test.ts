import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { Andon } from "@andon/engine";
import { createDatabase, type PostgresServer, startPostgres, until } from "@andon/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/index.ts";

const timeout = 120_000;
/** Ten seconds of silence, plus a margin for a busy machine. */
const BOUND_MS = 16_000;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

async function timed<T>(work: Promise<T>): Promise<{ reason: unknown; ms: number }> {
  const begun = performance.now();
  const reason = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { reason, ms: performance.now() - begun };
}

test.concurrent("a server that stops answering is reported as unavailable in bounded time, workers continue after it, and closing ends", {
  timeout,
}, async () => {
  const store = await openStore(server.url);
  await store.migrate();
  const andon = new Andon(store, { onError: () => {} });
  const queue = andon.queue<number>("line");
  await queue.work(async (job) => job.payload);
  await queue.add(1);
  await queue.drained();

  server.freeze();
  const asked = [
    store.query("select 1"),
    store.transaction("test", (tx) => tx.query("select 1")),
    // Its own limit passes first, but the error is about the store.
    store.transaction("test", (tx) => tx.query("select 1"), 2_000),
    queue.add(2),
  ].map(timed<unknown>);
  for (const { reason, ms } of await Promise.all(asked)) {
    expect([reason, store.isUnavailable(reason)]).toEqual([reason, true]);
    expect(ms).toBeLessThan(BOUND_MS);
  }
  // Further calls do not wait ten seconds.
  expect((await timed(store.query("select 1"))).ms).toBeLessThan(1_000);

  server.thaw();
  await until(() =>
    store.ready().then(
      () => true,
      () => false,
    ),
  );
  const { id } = await queue.add(3);
  await queue.drained();
  expect(await andon.job(id)).toMatchObject({ state: "done" });

  server.freeze();
  const { reason, ms } = await timed(andon.close());
  expect(reason).toBeUndefined();
  expect(ms).toBeLessThan(BOUND_MS);
  server.thaw();
});

test.concurrent("a slow statement is waited for while the server answers pings", { timeout }, async () => {
  const { url, drop } = await createDatabase();
  const store = await openStore(url);
  const slept = store.transaction("test", (tx) =>
    tx.query<{ one: number }>("select 1 as one from pg_sleep(13)"),
  );
  expect(await slept).toEqual([{ one: 1 }]);
  await store.close();
  await drop();
});

test.concurrent("a connection that a firewall dropped is destroyed, and no other, while the server answers pings", {
  timeout,
}, async () => {
  const { url, drop } = await createDatabase();
  const line = await openLine(url);
  const store = await openStore(line.url);
  await store.migrate();
  line.mute();
  const worker = {
    id: "w",
    host: "here",
    pid: 1,
    beat: 1,
    startedAt: 1,
    atWork: true,
    queues: [],
    rules: {},
    beatAt: null,
    version: null,
  };
  const asked = [store.query("select 1"), store.beat(worker)].map(timed<unknown>);
  // The pool has no other connection yet, so this one is new.
  const slept = store.query<{ one: number }>("select 1 as one from pg_sleep(13)");
  for (const { reason, ms } of await Promise.all(asked)) {
    expect([reason, store.isUnavailable(reason)]).toEqual([reason, true]);
    expect(ms).toBeGreaterThan(8_000);
    expect(ms).toBeLessThan(BOUND_MS);
  }
  expect(await store.query("select 1 as one")).toEqual([{ one: 1 }]);
  expect((await store.beat(worker)).known).toBeDefined();
  expect(await slept).toEqual([{ one: 1 }]);
  await store.close();
  line.close();
  await drop();
});

test.concurrent("a dead listening connection is replaced", { timeout }, async () => {
  const { url, drop } = await createDatabase();
  const line = await openLine(url);
  const [near, far] = [await openStore(line.url), await openStore(url)];
  let heard = 0;
  near.onSignal((signal) => {
    if (signal.kind === "work") heard++;
  });
  const speak = async () => {
    far.signal({ kind: "work", queue: "any" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    return heard > 0;
  };
  await until(speak);
  line.mute();
  heard = 0;
  await until(speak);
  await near.close();
  await far.close();
  line.close();
  await drop();
});

/** A proxy to a server: `mute` stops forwarding on the existing connections; later ones work. */
async function openLine(url: string) {
  const [target, through] = [Number(new URL(url).port), new URL(url)];
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = dial(target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to);
      from.on("error", () => to.destroy());
      sockets.push(from);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    mute() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
