import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./accessibility.ts";
import { ConsoleServer, ONE_KIND } from "./console-server.ts";
import { demoLine } from "./demo-line.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(ONE_KIND)("a silent server, on %s in %s", (store, language) => {
  const { act, board, common, history, live, problem, workers } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    server = await ConsoleServer.start(store, demoLine().settings);
    browser = await openBrowser();
    operator = await signIn(browser, server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const light = (page: Page) => page.locator("tr[data-row] .lamp").first().evaluate(backgroundOf);
  const words = (page: Page) => page.locator("main").textContent();

  test("is reported with the age of the data, and nothing is shown as healthy", async () => {
    const { page } = operator;
    await page.goto(server.url);
    await page.locator("[data-live=live]").waitFor();
    await page.getByText(board.allWell).waitFor();
    // Wait for the last lazy part of the page: a part that is missing at the outage would cause a reload.
    await page.getByRole("img", { name: new RegExp(board.throughput) }).waitFor();
    const lit = await light(page);

    await server.down();
    const strip = page.getByRole("alert").filter({ hasText: problem.unreachable });
    await strip.waitFor();
    expect(await strip.textContent()).toMatch(
      new RegExp(live.seenAt("\\d\\d:\\d\\d:\\d\\d").replaceAll(".", "\\.")),
    );
    expect(await page.getByText(live.hint).count()).toBe(0);
    await page.getByText(board.notKnown).waitFor();
    expect(await words(page)).not.toContain(board.allWell);
    expect(await light(page)).not.toBe(lit);
    expect(await violations(page, "light")).toEqual([]);
    expect(await violations(page, "dark")).toEqual([]);

    await server.up();
    await page.getByText(board.allWell).waitFor();
    await strip.waitFor({ state: "detached" });
    await page.emulateMedia({ colorScheme: null });
    expect(await light(page)).toBe(lit);
  }, 60_000);

  test("leaves it unknown whether a decision was made, and the page does not claim to repeat it", async () => {
    const { page } = operator;
    await page.goto(`${server.url}/queues/reports`);
    await page.getByRole("slider", { name: history.title }).waitFor();
    await page.getByRole("button", { name: act.pause }).click();
    await server.down();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: act.pause }).click();
    await dialog.getByText(problem.unanswered.decision).waitFor();
    expect(await dialog.textContent()).not.toContain(problem.unanswered.page);
    await server.up();
    await dialog.getByRole("button", { name: common.close }).first().click();
    expect((await server.client().queues.overview({ queue: "reports" })).state).toBe("open");
  }, 60_000);

  test("lets a page that is first opened during the outage appear once the server answers", async () => {
    const { page } = operator;
    await page.goto(server.url);
    await page.getByRole("img", { name: new RegExp(board.throughput) }).waitFor();
    await server.down();
    await page.getByRole("link", { name: workers.title, exact: true }).click();
    await page.locator("main").getByText(problem.unanswered.page).waitFor();
    await server.up();
    await page.getByRole("heading", { name: workers.title }).waitFor();
  }, 60_000);
});

/** It runs in the page: the test side does not have the DOM types. */
const backgroundOf = (element: unknown) => {
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle(of: unknown): { background: string };
  };
  return getComputedStyle(element).background;
};
