import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type Call, defineApp } from "@andon/app";
import { route } from "@andon/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { settingsOf, startServer } from "../../src/index.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "andon-apps-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = (app: App) =>
  startServer(settingsOf({ data, port: 0, adminToken: "t", log: { level: "silent" }, apps: [app] }));

test("an app is opened before its queues are defined, and closed after everything has stopped", async () => {
  const steps: string[] = [];
  const app: App = {
    name: "a",
    open: async ({ andon }) => {
      await andon.store.query("select 1 as one");
      steps.push("open");
    },
    queues: () => {
      steps.push("queues");
      return {};
    },
    close: async () => void steps.push("close"),
  };
  const server = await start(app);
  expect(steps).toEqual(["open", "queues"]);
  await server.close();
  expect(steps).toEqual(["open", "queues", "close"]);
});

test("an app that cannot be opened stops the start", async () => {
  const app: App = { name: "a", open: () => Promise.reject(new Error("its place is gone")) };
  await expect(start(app)).rejects.toThrow("its place is gone");
});

test("a call is aborted when its caller disconnects, not when its body has been read", async () => {
  const routes = {
    things: {
      wait: route({
        method: "POST",
        path: "/things/wait",
        access: "signed-in",
        summary: "Waits until the caller has gone, or answers at once.",
        body: z.strictObject({ forGood: z.boolean() }),
        answer: z.strictObject({ aborted: z.boolean() }),
      }),
    },
  };
  let begun = () => {};
  const began = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let gone = () => {};
  const left = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const wait = async ({ signal, body }: Call<typeof routes.things.wait>) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (!body.forGood) return { aborted: signal.aborted };
    begun();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    gone();
    return { aborted: true };
  };
  const app = defineApp({ name: "a", routes, serve: () => ({ things: { wait } }) });
  const server = await start(app as unknown as App);
  const ask = (forGood: boolean, signal?: AbortSignal) =>
    fetch(new URL("/things/wait", server.url as string), {
      method: "POST",
      headers: { authorization: "Bearer t", "content-type": "application/json" },
      body: JSON.stringify({ forGood }),
      ...(signal ? { signal } : {}),
    });
  expect(await (await ask(false)).json()).toEqual({ aborted: false });
  const caller = new AbortController();
  const asking = ask(true, caller.signal);
  await began;
  caller.abort();
  await expect(asking).rejects.toThrow();
  await left;
  await server.close();
});
