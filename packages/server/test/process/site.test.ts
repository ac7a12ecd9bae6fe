import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, defineApp } from "@andon/app";
import { startPostgres } from "@andon/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { type SettingsInput, settingsOf, startServer } from "../../src/index.ts";
import { until } from "../harness.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "andon-site-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = (settings: SettingsInput) =>
  startServer(settingsOf({ data, port: 0, adminToken: "t", log: { level: "silent" }, ...settings }));

test("a queue of andon.config.ts with a handler runs its jobs", async () => {
  writeFileSync(
    join(data, "andon.config.ts"),
    `interface Letter { to: string }
     const sent: string[] = [];
     export default {
       port: 0,
       log: { level: "silent" },
       queues: { mail: { attempts: 2, handler: async ({ payload }: { payload: Letter }) => ({ sentTo: payload.to }) } },
     };`,
  );
  const server = await startServer(await loadSettings({ ANDON_DATA: data }, data));
  const mail = server.site.queues.get("mail")?.queue;
  const { id } = (await mail?.add({ to: "kim" })) ?? { id: "" };
  await mail?.drained();
  expect(await server.site.andon.job(id)).toMatchObject({ state: "done", result: { sentTo: "kim" } });
  await server.close();
});

test("a job that fails runs the app's own hooks and raises the alert in one transaction", async () => {
  const calls: string[] = [];
  const app = defineApp({
    name: "vault",
    queues: () => ({
      "nas-sync": {
        rules: { mode: "serial", attempts: 1, stopReason: "NAS_SYNC_FAILED" },
        handler: () => {
          throw new Error("disk full");
        },
        hooks: { stopped: (stop) => void calls.push(stop.reason) },
      },
    }),
  });
  const server = await start({ apps: [app as App] });
  const queue = server.site.queues.get("nas-sync");
  await queue?.queue.add({});
  await queue?.queue.drained();
  expect(queue?.mode).toBe("serial");
  expect(calls).toEqual(["NAS_SYNC_FAILED"]);
  const alerts = await server.site.alerts.list({}, 1, 10);
  expect(alerts.items.map(({ type }) => type)).toContain("NAS_SYNC_FAILED_QUEUE_PAUSED");
  await server.close();
});

test("a queue of the configuration exists with or without a handler", async () => {
  const server = await start({ queues: { studio: { attempts: 1 }, mail: { handler: () => {} } } });
  expect([...server.site.queues.keys()]).toEqual(["studio", "mail", "outbox"]);
  await server.close();
});

test("two apps with one queue, or a second handler for it, stop the start", async () => {
  const app = (name: string): App => ({ name, queues: () => ({ mail: { handler: () => {} } }) });
  await expect(start({ apps: [app("a"), app("b")] })).rejects.toThrow(
    'settings: apps "a" and "b" both bring the queue "mail"',
  );
  await expect(start({ apps: [app("a")], queues: { mail: { handler: () => {} } } })).rejects.toThrow(
    'settings: queues.mail.handler is set, but the app "a" brings its own',
  );
});

test("readiness is 503 while the store is away, and 200 when it is back", async () => {
  const postgres = await startPostgres({ settings: { fsync: "off" } });
  try {
    const server = await start({ store: postgres.url });
    const ready = async () => {
      const response = await fetch(`${server.url}/readyz`);
      return [response.status, ((await response.json()) as { status: string }).status];
    };
    expect(await ready()).toEqual([200, "ok"]);
    await postgres.kill();
    expect(await ready()).toEqual([503, "unavailable"]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await postgres.restart();
    await until(async () => (await ready())[0] === 200);
    await server.close();
  } finally {
    await postgres.stop();
  }
});

test("a part of an app that is away is shown as degraded with its name, and the status is still 200", async () => {
  const app: App = {
    name: "vault",
    ready: async () => [{ name: "nas", ok: false, problem: "/srv/nas has no marker", code: "NOT_MOUNTED" }],
  };
  const server = await start({ apps: [app] });
  for (const [headers, problem] of [
    [{}, "NOT_MOUNTED"],
    [{ authorization: "Bearer t" }, "/srv/nas has no marker"],
  ] as const) {
    const response = await fetch(`${server.url}/readyz`, { headers });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: "degraded",
        parts: [
          { name: "store", ok: true, problem: null },
          { name: "nas", ok: false, problem },
        ],
      },
    ]);
  }
  await server.close();
});

test("closing waits for a request in flight, and the store is closed after it", async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let entered = () => {};
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const app: App = {
    name: "slow",
    ready: async (site) => {
      entered();
      await gate;
      await site.andon.store.query("select 1 as one");
      return [];
    },
  };
  const server = await start({ apps: [app] });
  const asked = fetch(`${server.url}/readyz`);
  await inside;
  const closed = server.close();
  go();
  const response = await asked;
  expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([200, "ok"]);
  await closed;
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});
