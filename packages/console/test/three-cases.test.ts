import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleServer, type StoreName } from "./console-server.ts";
import { addUploads, demoLine, type Nas } from "./demo-line.ts";
import { contextOf, type Hands, press, write } from "./hands.ts";
import { browserPath, lampWord, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

const { act, common } = WORDS.en;
const OUTAGE = "ECONNREFUSED: NAS connection refused";
const DENIED = "EACCES: permission denied, '/restricted/report.pdf'";
/** The number of jobs that run, and so fail, at once before the queue is stopped. */
const AT_ONCE = 3;

/** The cases on each store. Over both stores, every case is run with the mouse, with only the keyboard, and on a phone. */
const PLAN: readonly (readonly [StoreName, Readonly<Record<"A" | "B" | "C", readonly Hands[]>>])[] = [
  ["sqlite", { A: ["phone"], B: ["keyboard", "mouse"], C: ["phone"] }],
  ["postgres", { A: ["keyboard"], B: ["phone"], C: ["mouse", "keyboard"] }],
];

describe.skipIf(!browserPath).each(PLAN)("from the alert to a resumed queue, on %s", (store, plan) => {
  let browser: Browser;
  let server: ConsoleServer;
  let nas: Nas;

  beforeAll(async () => {
    const line = demoLine();
    nas = line.nas;
    // A queue in which several jobs run, and fail, at once.
    const wide = { concurrency: AT_ONCE, attempts: 1, onFinalFailure: "stop-queue" as const };
    const { handler } = line.settings.queues?.thumbnails ?? {};
    server = await ConsoleServer.start(store, {
      queues: { ...line.settings.queues, wide: { ...wide, ...(handler ? { handler } : {}) } },
    });
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const isPaused = (queue: string) => async () => (await server.client().queues.status({ queue })).isPaused;
  /** Signs in, and goes from the board over the alerts to the page of the queue. */
  const fromTheAlert = async (hands: Hands, queue: string, work: (page: Page) => Promise<void>) => {
    const operator = await signIn(browser, server, "en", contextOf(hands));
    const { page } = operator;
    const links = page.getByRole("navigation", { name: WORDS.en.shell.menu });
    await press(
      page,
      hands,
      links.getByRole("link", { name: WORDS.en.alerts.title }).filter({ visible: true }),
    );
    await press(
      page,
      hands,
      page.locator(`main a[href="/queues/${queue}"]`).filter({ visible: true }).first(),
    );
    await page.getByText(WORDS.en.lamp.stopped).first().waitFor();
    await work(page);
    await lampWord(page, WORDS.en.lamp.running).waitFor();
    expect(operator.complaints).toEqual([]);
    await operator.close();
  };
  /** Waits until the dialog is closed, because leaving the page earlier would abort the request. */
  const decide = async (page: Page, hands: Hands, name: string) => {
    await press(page, hands, page.getByRole("dialog").getByRole("button", { name, exact: true }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  const onPage = (page: Page, name: string | RegExp) => page.locator("main").getByRole("button", { name });
  const because = (page: Page, hands: Hands, reason: string) =>
    write(page, hands, page.getByRole("dialog").getByLabel(common.reasonRequired), reason);

  test.each(plan.A)("case A, an outage: look, retry, resume (%s)", async (hands) => {
    nas.isUp = false;
    nas.done.length = 0;
    await addUploads(server.client(), "nas-sync", ["/a.pdf", "/b.pdf"]);
    await expect.poll(isPaused("nas-sync")).toBe(true);
    await fromTheAlert(hands, "nas-sync", async (page) => {
      const failed = page.getByRole("table", { name: WORDS.en.queue.failed });
      await press(page, hands, failed.locator("[data-row-link]").first());
      await page.getByRole("heading", { level: 1, name: WORDS.en.job.title }).waitFor();
      await page.getByText(OUTAGE).filter({ visible: true }).first().waitFor();
      nas.isUp = true;
      await press(page, hands, onPage(page, act.retry));
      await decide(page, hands, act.retry);
      await press(page, hands, page.locator('main a[href="/queues/nas-sync"]').first());
      await press(page, hands, onPage(page, act.resume));
      await decide(page, hands, act.resume);
    });
    await expect.poll(() => nas.done).toEqual(["/a.pdf", "/b.pdf"]);
  });

  test.each(plan.B)("case B, one file: look, skip with a reason, resume (%s)", async (hands) => {
    nas.bad.set("/restricted/report.pdf", DENIED);
    nas.done.length = 0;
    await addUploads(server.client(), "nas-sync", ["/restricted/report.pdf", "/next.pdf"]);
    await expect.poll(isPaused("nas-sync")).toBe(true);
    await fromTheAlert(hands, "nas-sync", async (page) => {
      const failed = page.getByRole("table", { name: WORDS.en.queue.failed });
      await press(page, hands, failed.locator("[data-row-link]").first());
      await page.getByText(DENIED).filter({ visible: true }).first().waitFor();
      await press(page, hands, onPage(page, act.skip));
      await because(page, hands, "copied to the NAS by hand");
      await decide(page, hands, act.skip);
      await press(page, hands, page.locator('main a[href="/queues/nas-sync"]').first());
      await press(page, hands, onPage(page, act.resume));
      await decide(page, hands, act.resume);
    });
    await expect.poll(() => nas.done).toEqual(["/next.pdf"]);
    const { items } = await server.client().audit.list({ action: "job.skip", limit: 1 });
    expect(items[0]?.reason).toBe("copied to the NAS by hand");
  });

  test.each(plan.C)("case C, many failed: all retried or all skipped, and resumed (%s)", async (hands) => {
    const client = server.client();
    const paths = Array.from({ length: AT_ONCE + 2 }, (_, n) => `/many/${hands}-${n}.pdf`);
    nas.isUp = false;
    nas.done.length = 0;
    await client.queues.pause({ queue: "wide" });
    await addUploads(client, "wide", paths);
    await client.queues.resume({ queue: "wide" });
    await expect.poll(isPaused("wide")).toBe(true);
    await expect.poll(async () => (await client.queues.status({ queue: "wide" })).active).toBe(0);
    const { failed } = await client.queues.status({ queue: "wide" });
    nas.isUp = true;
    const isSkipped = hands === "mouse";
    await fromTheAlert(hands, "wide", async (page) => {
      const decision = isSkipped ? act.skipAllAndResume : act.retryAllAndResume;
      await press(page, hands, onPage(page, decision));
      if (isSkipped) await because(page, hands, "copied by hand");
      await decide(page, hands, decision);
    });
    const done = isSkipped ? paths.length - failed : paths.length;
    await expect.poll(() => nas.done.length).toBe(done);
    expect((await client.queues.status({ queue: "wide" })).failed).toBe(0);
  });
});
