import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ConsoleServer } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

const { jobs } = WORDS.en;

describe.skipIf(!browserPath)("a change of rooms", () => {
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    server = await ConsoleServer.start("sqlite", { queues: { mail: { handler: () => undefined } } });
    await server.client().queues.pause({ queue: "mail" });
    await server.addJobs("mail", [1, 2, 3]);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    operator = await signIn(browser, server, "en");
    await operator.page.locator("tr[data-row=mail]").waitFor();
  });
  afterEach(async () => {
    expect(operator.complaints).toEqual([]);
    await operator.close();
  });

  const link = (page: Page) => page.getByRole("link", { name: jobs.title, exact: true }).first();
  const asked = (page: Page, path: string) =>
    page.waitForRequest((request) => new URL(request.url()).pathname === path);

  test("the first pointer move loads the code of every room", async () => {
    const { page } = operator;
    const isLoaded = (room: string) =>
      page.evaluate(
        `performance.getEntriesByType("resource").some(({ name }) => name.includes("/${room}-"))`,
      );
    expect(await isLoaded("audit-room")).toBe(false);
    await page.mouse.move(5, 5);
    for (const room of ["jobs-room", "audit-room", "settings-room"])
      await expect.poll(() => isLoaded(room)).toBe(true);
  });

  test("hovering over a link prefetches the data of its room, and following it shows the room at once", async () => {
    const { page } = operator;
    const list = asked(page, "/admin/jobs");
    const counts = asked(page, "/admin/jobs/counts");
    await link(page).hover();
    await (await (await list).response())?.finished();
    await (await (await counts).response())?.finished();
    expect(new URL(page.url()).pathname).toBe("/");
    // The server does not answer any more, so the shown data was prefetched.
    await page.route("**/admin/jobs**", () => new Promise<void>(() => undefined));
    await link(page).click();
    await page.locator("main tr[data-row]").nth(2).waitFor();
  });

  test("a room starts all its queries at once, before any of them is answered", async () => {
    const { page } = operator;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/admin/jobs**", async (route) => {
      await held;
      await route.continue();
    });
    const both = Promise.all([asked(page, "/admin/jobs"), asked(page, "/admin/jobs/counts")]);
    await page.evaluate(
      `history.pushState({}, "", "/jobs?queue=mail&state=ready"); dispatchEvent(new PopStateEvent("popstate"))`,
    );
    await both;
    answer();
    await page.locator("main tr[data-row]").nth(2).waitFor();
  });
});
