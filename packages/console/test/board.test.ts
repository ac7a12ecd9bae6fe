import { until } from "@andon/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { smallTargets, THEME, violations } from "./accessibility.ts";
import { ConsoleServer, OTHER_KIND } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

const DESK = { width: 1440, height: 1800 };
const FULL_HD = { width: 1920, height: 1080 };
const FIFTY = Array.from({ length: 50 }, (_, n) => `line-${String(n).padStart(2, "0")}`);
const DONE = 7;

describe.skipIf(!browserPath).each(OTHER_KIND)("the board, on %s in %s", (store, language) => {
  const { act, board, lamp, overview, runningNow } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  let finish = () => {};
  let isNasUp = false;

  beforeAll(async () => {
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const copy = () => {
      if (!isNasUp) throw new Error("ECONNREFUSED");
    };
    server = await ConsoleServer.start(store, {
      queues: {
        ...Object.fromEntries(FIFTY.map((name) => [name, { handler: () => undefined }])),
        "nas-copy": { mode: "serial", attempts: 1, handler: copy },
        films: {
          concurrency: 30,
          handler: async (job, { progress }) => {
            progress({ done: Number(job.payload), total: 50 });
            await held;
          },
        },
      },
    });
    const client = server.client();
    await server.addJobs(
      "line-07",
      Array.from({ length: DONE }, (_, n) => n),
    );
    await until(async () => (await client.queues.overview({ queue: "line-07" })).completed === DONE);
    browser = await openBrowser();
    operator = await signIn(browser, server, language, { viewport: DESK });
  }, 300_000);
  afterAll(async () => {
    finish();
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    await operator.startOver();
    await operator.page.goto(server.url);
    await rows(operator.page).first().waitFor();
  });
  afterEach(() => expect(operator.complaints).toEqual([]));

  const row = (page: Page, queue: string) => page.locator(`tr[data-row="${queue}"]`);

  test("fifty queues fit on one screen, and Andon's own queues are collapsed", async () => {
    const { page } = operator;
    const boxes = await Promise.all((await rows(page).all()).slice(0, 50).map((each) => each.boundingBox()));
    expect(boxes).toHaveLength(50);
    for (const box of boxes)
      expect((box?.y ?? DESK.height) + (box?.height ?? 0)).toBeLessThanOrEqual(DESK.height);
    expect(await row(page, "outbox").count()).toBe(0);
    const fold = page
      .getByRole("button", { expanded: false })
      .filter({ hasText: overview.system(1).slice(2) });
    await fold.click();
    await row(page, "outbox").waitFor();
  });

  test("all fifty are visible at 1920×1080 without scrolling, with every column, and each can be clicked", async () => {
    const { page } = operator;
    await page.setViewportSize(FULL_HD);
    for (const label of [overview.part(1, 26), overview.part(27, 52)])
      await page.getByRole("table", { name: label, exact: true }).waitFor();
    expect((await namesOf(page)).filter((name) => FIFTY.includes(name)).toSorted()).toEqual(FIFTY);
    for (const each of await rows(page).all()) {
      const box = await each.boundingBox();
      expect((box?.y ?? FULL_HD.height) + (box?.height ?? 0)).toBeLessThanOrEqual(FULL_HD.height);
    }
    for (const by of ["name", "lastHour", "waiting", "oldest", "running", "failed", "rate", "drain"] as const)
      expect(await page.getByRole("columnheader", { name: overview[by], exact: true }).count()).toBe(2);
    expect(await smallTargets(page)).toEqual([]);
    expect(await violations(page, "light")).toEqual([]);
    expect(await violations(page, "dark")).toEqual([]);
  });

  test("many rows are compact by default, and the reader's choice is stored", async () => {
    const { page } = operator;
    const compact = page.getByRole("button", { name: overview.compact });
    const height = async () => (await row(page, "line-07").boundingBox())?.height ?? 0;
    expect(await compact.getAttribute("aria-pressed")).toBe("true");
    const close = await height();
    await compact.click();
    expect(await height()).toBeGreaterThan(close);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await compact.getAttribute("aria-pressed")).toBe("false");
    expect(await height()).toBeGreaterThan(close);
    expect(await smallTargets(page)).toEqual([]);
  });

  test("a row also has words and numbers for what its colours and its sparkline show", async () => {
    const { page } = operator;
    const busy = row(page, "line-07");
    await busy.getByText(lamp.running, { exact: true }).filter({ visible: true }).waitFor();
    await busy
      .getByRole("img", { name: new RegExp(overview.sparkline(DONE, 0, DONE).slice(0, 12)) })
      .waitFor();
    await busy.getByRole("img").hover({ position: { x: 2, y: 5 } });
    await busy.getByText(overview.done).waitFor();
    await row(page, "line-08").getByRole("img", { name: overview.sparklineNone }).waitFor();
  });

  test("columns sort, typing filters, arrows walk, and Enter opens", async () => {
    const { page } = operator;
    for (const queue of ["line-30", "line-20"]) {
      await server.client().queues.pause({ queue });
      await server.client().queues.add({ queue, payload: {} });
    }
    await server.client().queues.add({ queue: "line-20", payload: {} });
    await page.reload();
    await rows(page).first().waitFor();
    const head = page.getByRole("columnheader", { name: overview.waiting, exact: true });
    await head.getByRole("button").click();
    await page.waitForURL(/sort=-waiting/);
    await expect.poll(() => namesOf(page)).toMatchObject({ 0: "line-20", 1: "line-30" });
    expect(await head.getAttribute("aria-sort")).toBe("descending");

    await page.keyboard.press("f");
    await page.keyboard.type("LINE-4");
    await expect.poll(async () => (await namesOf(page)).length).toBe(10);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "j"]) await page.keyboard.press(key);
    const second = (await namesOf(page))[1];
    expect(await page.evaluate("document.activeElement?.closest('[data-row]')?.dataset.row")).toBe(second);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.url}/queues/${second}`);

    await page.goBack();
    await row(page, "line-20")
      .getByRole("link", { name: `${overview.waiting}: 2, line-20` })
      .click();
    await page.waitForURL(`${server.url}/jobs?queue=line-20&state=ready`);
    for (const queue of ["line-30", "line-20"]) await server.client().queues.resume({ queue });
  });

  test("a stopped queue can be decided about on the board in two clicks, and the focus stays on the page", async () => {
    const { page } = operator;
    isNasUp = false;
    await server.addJobs("nas-copy", [1, 2]);
    await page.getByText(board.needsYou(1)).waitFor();
    expect((await namesOf(page))[0]).toBe("nas-copy");
    isNasUp = true;
    await page.getByRole("button", { name: overview.decide(act.retryAllAndResume, "nas-copy") }).click();
    await page.getByRole("dialog").getByRole("button", { name: act.retryAllAndResume }).click();
    await page.getByText(board.allWell).waitFor();
    await expect
      .poll(async () => (await server.client().queues.overview({ queue: "nas-copy" })).completed)
      .toBe(2);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(false);
  });

  test("twenty running jobs are shown with progress, duration and worker", async () => {
    const { page } = operator;
    await server.addJobs(
      "films",
      Array.from({ length: 25 }, (_, n) => n * 2),
    );
    const panel = page.getByRole("region", { name: runningNow.title });
    await panel.getByRole("listitem").nth(19).waitFor();
    expect(await panel.getByRole("listitem").count()).toBe(20);
    const bar = panel.getByRole("progressbar").nth(5);
    expect(await bar.getAttribute("max")).toBe("50");
    const first = panel.getByRole("listitem").first();
    const before = await first.textContent();
    await expect.poll(() => first.textContent()).not.toBe(before);
    await page.goto(`${server.url}/queues/films`);
    await panel.getByRole("listitem").nth(19).waitFor();
    await panel.getByRole("link", { name: runningNow.more(5) }).click();
    await page.waitForURL(`${server.url}/jobs?queue=films&state=running`);
  });

  test("it is accessible, and a queue takes two lines on a phone", async () => {
    const { page } = operator;
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await row(page, "line-07").getByText(board.drainEmpty).filter({ visible: true }).waitFor();
    expect((await row(page, "line-07").boundingBox())?.height).toBeLessThan(64);
  });
});

const rows = (page: Page) => page.locator("tr[data-row]");

function namesOf(page: Page): Promise<string[]> {
  return page.evaluate(
    "[...document.querySelectorAll('tr[data-row]')].map((row) => row.dataset.row)",
  ) as Promise<string[]>;
}
