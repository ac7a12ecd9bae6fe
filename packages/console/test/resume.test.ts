import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, KINDS } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { DOCK_QUEUE, type Dock, warehouse } from "./warehouse.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(KINDS)("resuming on %s in %s", (store, language) => {
  const { act, rehearsal, ramp } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let dock: Dock;
  let operator: Operator;

  beforeAll(async () => {
    const line = warehouse();
    dock = line.dock;
    server = await ConsoleServer.start(store, line.settings);
    browser = await openBrowser();
    operator = await signIn(browser, server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const overview = () => server.client().queues.overview({ queue: DOCK_QUEUE });
  const isPaused = () => expect.poll(async () => (await overview()).isPaused).toBe(true);
  const open = async () => {
    const { page } = operator;
    await page.goto(`${server.url}/queues/${DOCK_QUEUE}`);
    await page.locator("[data-live=live]").waitFor();
    return page;
  };
  const press = async (page: Page, name: string) => {
    await page.getByRole("button", { name }).first().click();
    return page.getByRole("dialog");
  };

  test("with the destination away it says that all jobs will fail again, and checks again on request", async () => {
    dock.isUp = false;
    await server.addJobs(DOCK_QUEUE, ["a", "b", "c"]);
    await isPaused();
    const page = await open();
    const dialog = await press(page, act.retryAllAndResume);
    await dialog.getByText(rehearsal.allFailAgain).waitFor();
    await dialog.getByText(rehearsal.away("the dock is shut")).waitFor();
    expect(await dialog.locator("[data-rehearsal] li").count()).toBe(3);
    expect(await dialog.getByRole("button", { name: act.retryAllAndResume }).isEnabled()).toBe(true);
    expect(await violations(page, THEME[language])).toEqual([]);

    dock.isUp = true;
    dock.bad.add("b");
    await dialog.getByRole("button", { name: rehearsal.again }).click();
    await dialog.getByText(rehearsal.someWillFail(1, 3)).waitFor();
    await dialog.getByText("pallet b").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement?.textContent")).toContain(act.retryAllAndResume);
  });

  test("in waves it shows its progress, and names the job that ended it", async () => {
    let openGate = () => {};
    dock.gate = new Promise((resolve) => {
      openGate = resolve;
    });
    const page = await open();
    const dialog = await press(page, act.retryAllAndResume);
    await dialog.getByRole("radio", { name: ramp.waves }).check();
    await dialog.getByText(ramp.effectStops).waitFor();
    await dialog.getByRole("button", { name: act.retryAllAndResume }).click();
    await dialog.waitFor({ state: "detached" });
    await page.locator("[data-ramp]").getByText(ramp.wave(1, 3)).waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    dock.gate = undefined;
    openGate();
    await isPaused();
    const stopped = page.locator("[data-ramp-stopped]");
    await stopped.getByText(ramp.stopped).waitFor();
    await stopped.getByText("EDOCK: b was not taken").waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(dock.done).toEqual(["a"]);

    dock.bad.clear();
    const again = await press(page, act.resume);
    await again.getByText("pallet b").waitFor();
    await again.getByRole("button", { name: act.resume }).click();
    await expect.poll(() => dock.done).toEqual(["a", "b", "c"]);
    await page.locator("[data-ramp-stopped]").waitFor({ state: "detached" });
    expect(operator.complaints).toEqual([]);
  });
});
