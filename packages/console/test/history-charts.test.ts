import { until } from "@andon/testkit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, ONE_KIND } from "./console-server.ts";
import { addUploads, demoLine } from "./demo-line.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

const DONE = 5;
const DESK = { width: 1280, height: 900 };

describe.skipIf(!browserPath).each(ONE_KIND)("the charts of a queue, on %s in %s", (store, language) => {
  const { history: say } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    server = await ConsoleServer.start(store, demoLine().settings);
    const client = server.client();
    const paths = Array.from({ length: DONE }, (_, index) => `/contracts/${index}.pdf`);
    await addUploads(client, "nas-sync", paths);
    await until(async () => (await client.queues.overview({ queue: "nas-sync" })).completed === DONE);
    await client.queues.pause({ queue: "nas-sync", reason: "disk change" });
    browser = await openBrowser();
    operator = await signIn(browser, server, language, { viewport: DESK });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (search = "") => {
    const { page } = operator;
    await page.goto(`${server.url}/queues/nas-sync${search}`);
    const charts = page.getByRole("slider", { name: say.title });
    await charts.waitFor();
    await charts.scrollIntoViewIfNeeded();
    return { page, charts };
  };
  /** Moves to a minute whose text matches: the jobs may be in the previous minute, or in both. */
  const walkTo = async (charts: Awaited<ReturnType<typeof open>>["charts"], words: RegExp) => {
    await charts.focus();
    await charts.press("End");
    for (let steps = 0; steps < 60; steps++) {
      const text = (await charts.getAttribute("aria-valuetext")) ?? "";
      if (words.test(text)) return text;
      await charts.press("ArrowLeft");
    }
    throw new Error(`no minute says ${words}`);
  };

  test("arrow keys show the values of a minute and its decisions", async () => {
    const { charts } = await open();
    expect(await walkTo(charts, new RegExp(`${say.values.added} [1-9]`))).toContain(say.values.waitP95);
    await walkTo(charts, /disk change/);
    expect(operator.complaints).toEqual([]);
  });

  test("the table has the same numbers, accessible and not wider than a phone", async () => {
    const { page } = await open();
    await page.getByText(say.table).click();
    const table = page.getByRole("table", { name: say.title });
    await table.waitFor();
    expect(await table.getByRole("row").count()).toBe(61);
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
  });

  test("dragging selects a range, which is stored in the address, and a button leaves it", async () => {
    const { page } = await open("?range=24h");
    const box = await page.locator(".chart .u-over").first().boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.move(box.x + box.width * 0.5, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.+to=/);
    await page.getByRole("button", { name: say.leaveRange }).click();
    await page.waitForURL(/range=1h/);
    expect(page.url()).not.toContain("from=");
  });

  test("a click on a minute opens the list of jobs added in it", async () => {
    const { page } = await open();
    const box = await page.locator(".chart .u-over").first().boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.click(box.x + box.width * 0.5, box.y + 30);
    await page.waitForURL(/\/jobs\?queue=nas-sync/);
    const { searchParams } = new URL(page.url());
    const [from, to] = ["from", "to"].map((name) => Date.parse(searchParams.get(name) ?? ""));
    expect((to ?? 0) - (from ?? 0)).toBe(60_000);
    expect(operator.complaints).toEqual([]);
  });
});
