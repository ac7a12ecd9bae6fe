import { existsSync } from "node:fs";
import { DEMO_QUEUE } from "@andon/contract";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, KINDS } from "./console-server.ts";
import { browserPath, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(KINDS)("the guided demo, on %s in %s", (store, language) => {
  const { act, overview, demo } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await ConsoleServer.start(store, {}, { demoPauseMs: 5 });
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test("shows a real stop, continues after a restart, waits for a person, and leaves only the audit log", async () => {
    const { page, complaints, close } = await signIn(browser, server, language);
    const client = server.client();
    await page.getByRole("button", { name: demo.start }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(demo.startEffects[2] ?? "").waitFor();
    await dialog.getByRole("button", { name: demo.start }).click();

    const plug = page.getByRole("button", { name: demo.plug });
    await plug.waitFor();
    const stopped = await client.queues.overview({ queue: DEMO_QUEUE });
    expect(stopped).toMatchObject({ isPaused: true, completed: 3, failed: 1, waiting: 2 });
    const { items } = await client.alerts.list({ state: "firing" });
    expect(items).toHaveLength(1);
    await expect(client.demo.start({})).rejects.toMatchObject({ code: "DEMO_EXISTS" });
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();

    await server.down();
    await server.up();
    const again = await signIn(browser, server, language);
    await again.page.getByRole("button", { name: demo.plug }).click();
    await again.page.getByText(demo.says.plugged).waitFor();
    const decide = overview.decide(act.retryAllAndResume, DEMO_QUEUE);
    await again.page.getByRole("button", { name: decide }).click();
    await again.page.getByRole("dialog").getByRole("button", { name: act.retryAllAndResume }).click();
    await again.page.getByText(demo.says.done).waitFor();
    expect(await client.queues.overview({ queue: DEMO_QUEUE })).toMatchObject({ completed: 6, failed: 0 });

    await again.page.getByRole("button", { name: demo.remove }).click();
    await again.page.getByRole("dialog").getByRole("button", { name: demo.remove }).click();
    await again.page.getByRole("button", { name: demo.start }).waitFor();
    await expect(client.queues.overview({ queue: DEMO_QUEUE })).rejects.toMatchObject({ status: 404 });
    expect(existsSync(`${server.data}/demo`)).toBe(false);
    expect((await client.alerts.list({ state: "firing" })).items).toEqual([]);
    const actions = (await client.audit.list({ limit: 100 })).items.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(["demo.start", "demo.plug-nas", "queue.resume", "queue.delete"]),
    );
    expect(again.complaints).toEqual([]);
    await again.close();
  });

  test("can be removed midway and started again", async () => {
    const client = server.client();
    await client.demo.start({});
    await expect.poll(async () => (await client.demo.show({})).isNasAway).toBe(true);
    expect(await client.demo.remove()).toMatchObject({ state: "none", isNasAway: false });
    expect(await client.demo.start({})).toMatchObject({ state: "here" });
    await client.demo.remove();
    await expect(client.demo.remove()).rejects.toMatchObject({ code: "DEMO_NOT_HERE" });
  });
});
