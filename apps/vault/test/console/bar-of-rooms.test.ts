import { browserPath, openBrowser, signIn } from "@andon/console/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VaultConsoleServer } from "./vault-console-server.ts";
import { WORDS } from "./words.ts";

const PHONE = { width: 360, height: 740 };
const TABLET = { width: 700, height: 900 };
const { board, shell, alerts, settings, jobs } = WORDS.en;

/** The sides on which the bar continues. */
const MARKS = `["data-before", "data-after"].filter((name) => document.querySelector("nav.rooms").hasAttribute(name))`;

describe.skipIf(!browserPath)("the bar of rooms", () => {
  let browser: Browser;
  let app: VaultConsoleServer;

  beforeAll(async () => {
    app = await VaultConsoleServer.start("sqlite");
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const activeIsInSight = async (page: Page) => {
    const active = page.getByRole("navigation", { name: shell.menu }).locator("[aria-current=page]");
    const { x, width } = (await active.boundingBox()) ?? { x: -1, width: 0 };
    return x >= 0 && x + width <= TABLET.width;
  };

  test("shows the current room on a tablet, and on which side there are more", async () => {
    const { page, complaints, close } = await signIn(browser, app.server, "en", { viewport: TABLET });
    await expect.poll(() => page.evaluate(MARKS)).toEqual(["data-after"]);
    await page.goto(`${app.server.url}/settings`);
    await expect.poll(() => activeIsInSight(page)).toBe(true);
    await expect.poll(() => page.evaluate(MARKS)).toEqual(["data-before"]);

    await page.getByRole("navigation", { name: shell.menu }).getByRole("link").first().press("Enter");
    await page.getByRole("heading", { name: board.title, exact: true }).waitFor();
    await expect.poll(() => activeIsInSight(page)).toBe(true);
    await expect.poll(() => page.evaluate(MARKS)).toEqual(["data-after"]);

    await page.setViewportSize({ width: 1400, height: 900 });
    await expect.poll(() => page.evaluate(MARKS)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test("has four named rooms on a phone and the others behind one button", async () => {
    const { page, complaints, close } = await signIn(browser, app.server, "en", { viewport: PHONE });
    const bar = page.getByRole("navigation", { name: shell.menu });
    await expect
      .poll(() => bar.getByRole("link").allTextContents())
      .toEqual([board.title, jobs.title, "Files", alerts.title]);
    await app.server.client().queues.pause({ queue: "nas-sync", reason: "looking" });
    await page.goto(`${app.server.url}/queues/nas-sync`);
    await expect.poll(() => page.title()).toBe("nas-sync · Andon");
    expect(await bar.locator("[aria-current=page]").textContent()).toBe(board.title);

    await bar.getByRole("button", { name: shell.more }).click();
    await page.getByRole("dialog").getByRole("link", { name: settings.title }).click();
    await page.getByRole("heading", { name: settings.title, exact: true }).waitFor();
    expect(await bar.locator("[aria-current=page]").textContent()).toBe(shell.more);
    await expect.poll(() => page.title()).toBe("Settings · Andon");
    expect(complaints).toEqual([]);
    await close();
  });
});
