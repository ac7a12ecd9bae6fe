import { until } from "@andon/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ConsoleServer, ONE_KIND } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

const DESK = { width: 1280, height: 900 };
const FAILED = 105;
/** A typical error of a NAS, much wider than its column. */
const ERROR = `Something else already lies at "${"경영지원본부 공유 문서함/".repeat(20)}계약서.pdf"`;

describe.skipIf(!browserPath).each(ONE_KIND)("many failed jobs, on %s in %s", (store, language) => {
  const { act, board, common, jobs, plan, queue: say } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    const fail = () => {
      throw new Error(ERROR);
    };
    server = await ConsoleServer.start(store, {
      queues: {
        "nas-sync": { attempts: 1, onFinalFailure: "hold-lane", handler: fail },
        sick: { backoff: { delay: "1h" }, classify: () => "destination", handler: fail },
      },
    });
    const client = server.client();
    await client.queues.add({ queue: "sick", payload: {} });
    for (let file = 1; file <= FAILED; file++) {
      const keys = [`file:${file}`, `path:문서함/${file}.pdf`];
      await client.queues.add({ queue: "nas-sync", name: "UPLOAD", payload: {}, keys });
    }
    await until(async () => (await client.queues.overview({ queue: "nas-sync" })).failed === FAILED);
    browser = await openBrowser();
    operator = await signIn(browser, server, language, { viewport: DESK });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => operator.startOver());
  afterEach(() => expect(operator.complaints).toEqual([]));

  const open = async (path: string) => {
    await operator.page.goto(server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    await operator.page.getByRole("table").first().waitFor();
    return operator.page;
  };
  const rowIds = (page: Page, table: string) =>
    page
      .getByRole("table", { name: table })
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => (row as unknown as Row).dataset.row));

  test("numbers and names stay on one line beside a long error, and the page fits a phone", async () => {
    const page = await open("/queues/nas-sync");
    const count = page.getByRole("table", { name: say.groups }).getByRole("link", { name: String(FAILED) });
    expect(await count.evaluate(linesOf)).toBe(1);
    await open("/jobs?queue=nas-sync");
    for (const name of ["nas-sync", "UPLOAD"]) {
      const shown = page.getByRole("cell").getByText(name, { exact: true }).first();
      expect(await shown.evaluate(linesOf)).toBe(1);
    }
    for (const path of ["/jobs", "/queues/nas-sync"]) {
      await open(path);
      expect(await tooWideForAPhone(page)).toEqual([]);
    }
  });

  test("the lanes that one job holds are one row, but are counted separately", async () => {
    const page = await open("/queues/nas-sync");
    const lanes = page.getByRole("table", { name: say.lanes });
    await lanes.waitFor();
    const row = lanes
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: "file:1", exact: true }) });
    await row.getByRole("link", { name: "path:문서함/1.pdf", exact: true }).waitFor();
    await row.getByRole("button", { name: act.of.cancelRest("path:문서함/1.pdf") }).waitFor();
    await page.getByText(say.lanesTotal(2 * FAILED, false)).waitFor();
    const error = lanes.getByRole("link", { name: ERROR.slice(0, 40) }).first();
    const { height } = (await error.locator("..").boundingBox()) ?? { height: 0 };
    expect(height).toBeLessThan(80);
  });

  test("after a decision by key the focus is on the row that takes the place of the decided one", async () => {
    const page = await open("/queues/nas-sync");
    await page.getByRole("table", { name: say.failed }).waitFor();
    const [, second, third, fourth] = await rowIds(page, say.failed);
    while ((await focusedRow(page)) !== second) await page.keyboard.press("j");
    for (const next of [third, fourth]) {
      await page.keyboard.press("s");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("settled");
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => focusedRow(page)).toBe(next);
    }
  });

  test("in the list of jobs r and s decide about the row, or make a plan for the selection", async () => {
    const page = await open("/jobs?queue=nas-sync&state=failed");
    const dialog = page.getByRole("dialog");
    await page.keyboard.press("r");
    expect(await dialog.count()).toBe(0);
    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await dialog.getByText(act.effect.skipJob).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await dialog.getByText(act.effect.retryJob).waitFor();
    await page.keyboard.press("Escape");
    for (const key of ["x", "j", "x", "s"]) await page.keyboard.press(key);
    await dialog.getByRole("heading", { name: plan.title(plan.of.skip) }).waitFor();
    await dialog.getByLabel(common.reasonRequired).fill("settled");
    await dialog.getByRole("button", { name: plan.make }).click();
    await dialog.getByText(plan.count(2)).waitFor();
    await page.keyboard.press("Escape");

    await open("/jobs?queue=sick");
    await page.keyboard.press("j");
    for (const key of ["r", "s"]) await page.keyboard.press(key);
    expect(await dialog.count()).toBe(0);
  });

  test("the box above the rows selects the page, also if some rows are selected, and then clears the selection", async () => {
    const page = await open("/jobs?queue=nas-sync&state=failed");
    const box = page.getByRole("checkbox", { name: jobs.selectPage });
    await page.locator("tbody").getByRole("checkbox").first().check();
    await page.getByText(jobs.selected(1), { exact: true }).waitFor();
    expect(await box.evaluate(isIndeterminate)).toBe(true);
    await box.click();
    await page.getByText(jobs.selected(50), { exact: true }).waitFor();
    expect(await box.isChecked()).toBe(true);
    expect(await box.evaluate(isIndeterminate)).toBe(false);
    await box.click();
    expect(await page.locator("tbody").getByRole("checkbox", { checked: true }).count()).toBe(0);
  });

  test("a ticket is found in the form in which it is shown, and a degraded queue is not shown as stopped", async () => {
    const { items } = await server.client().jobs.list({ queue: "sick" });
    const page = await open(`/jobs?text=${encodeURIComponent(`#${items[0]?.ticket}`)}`);
    await page.getByRole("link", { name: `#${items[0]?.ticket}`, exact: true }).waitFor();
    expect(await page.getByText(jobs.none).count()).toBe(0);
    await page.goto(`${server.url}/queues/sick`);
    await page.getByText(board.drainDegraded).waitFor();
  });
});

/** These run in the page: the test side does not have the DOM types. */
type Row = { readonly dataset: { readonly row?: string } };
type Shown = { getClientRects(): { readonly length: number } };

const isIndeterminate = (box: unknown) => (box as { readonly indeterminate: boolean }).indeterminate;
const linesOf = (element: unknown) => (element as Shown).getClientRects().length;

function focusedRow(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement?.closest('[data-row]')?.dataset.row");
}
