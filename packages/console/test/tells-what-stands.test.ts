import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ConsoleServer, KINDS } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

/** As a NAS says it, with a path in which nothing can be broken. */
const ERROR = `ENOENT: no such file or directory, open '/volume1/share/${"contract_2026_final_".repeat(12)}.pdf'`;
const PHONE = { width: 360, height: 740 };

describe.skipIf(!browserPath).each(KINDS)("on %s in %s", (store, language) => {
  const { board, queue: queueWords, jobs, job: jobWords, act, common, shell, lamp } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  let finish = () => {};

  beforeAll(async () => {
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const fail = () => {
      throw new Error(ERROR);
    };
    server = await ConsoleServer.start(store, {
      queues: {
        orphan: {},
        stopped: { mode: "serial", attempts: 1, handler: fail },
        sick: { backoff: { delay: "1h" }, classify: () => "destination", handler: fail },
        slow: { timeout: "10m", handler: () => held },
        idle: { handler: () => undefined },
      },
    });
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    finish();
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    operator = await signIn(browser, server, language);
  });
  afterEach(async () => {
    expect(operator.complaints).toEqual([]);
    await operator.close();
  });

  const open = async (path: string) => {
    await operator.page.goto(server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    return operator.page;
  };
  const reaches = (queue: string, state: string) =>
    expect
      .poll(async () => (await server.client().queues.overview({ queue })).state, { timeout: 15_000 })
      .toBe(state);

  test("a store without jobs is not called a filter that nothing fits", async () => {
    const page = await open("/jobs");
    await page.getByText(jobs.noneYet).waitFor();
    await page.goto(`${server.url}/jobs?text=nowhere`);
    await page.getByText(jobs.none).waitFor();
  });

  test("a page that is not there has no tick", async () => {
    const page = await open("/no-such-page");
    await page.getByText(shell.notFound).waitFor();
    expect(await page.locator("main .lucide-circle-check").count()).toBe(0);
    expect(await page.locator("main .lucide-search-x").count()).toBe(1);
  });

  test("a queue with jobs that no worker works needs a person", async () => {
    const page = await open("/");
    await page.getByText(board.allWell).waitFor();
    await server.client().queues.add({ queue: "orphan", payload: {} });
    await page.reload();
    await page.getByText(board.noWorkerFor(1)).waitFor();
    await page.getByText(board.needsYou(1)).waitFor();
    const tile = page.getByRole("article").filter({ hasText: "orphan" });
    await tile.getByText(board.noWorker, { exact: true }).waitFor();
    await page.goto(`${server.url}/queues/orphan`);
    await page.getByText(board.noWorkerHint).waitFor();
    const { id } = await server.client().queues.add({ queue: "idle", payload: {}, delay: "1h" });
    await page.goto(server.url);
    const idle = page.getByRole("article").filter({ hasText: "idle" });
    await idle.getByText(board.drainDelayed).waitFor();
    expect(await idle.getByText(board.noWorker, { exact: true }).count()).toBe(0);
    await server.client().jobs.cancel({ id });
    await idle.getByText(board.drainEmpty).waitFor();
  });

  test("a degraded queue is not said to be stopped, and the key stands on what it does", async () => {
    await server.client().queues.add({ queue: "sick", payload: {} });
    await reaches("sick", "degraded");
    const page = await open("/queues/sick");
    await page.getByText(lamp.degraded).first().waitFor();
    await page.getByText(queueWords.degradedSince).waitFor();
    expect(await page.getByText(queueWords.stoppedAt).count()).toBe(0);
    expect(await page.locator("[aria-keyshortcuts=p]").allTextContents()).toEqual([`${act.resume}p`]);
    await page.keyboard.press("p");
    await page.getByRole("dialog").getByRole("button", { name: act.resume }).waitFor();
  });

  test("an error without a blank is read whole on a phone", async () => {
    await server.client().queues.add({ queue: "stopped", payload: {} });
    await reaches("stopped", "stopped");
    const page = await open("/queues/stopped");
    await page.setViewportSize(PHONE);
    const error = page.locator("section[aria-labelledby=queue-name]").getByText(ERROR);
    await error.waitFor();
    const { x, width } = (await error.boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(PHONE.width);
    const cutOff = `[...document.querySelectorAll("dd .wrap-anywhere")].map((each) => each.scrollHeight - each.clientHeight)`;
    expect(await page.evaluate(cutOff)).toEqual([0]);
  });

  test("the focus goes back to what had it when a dialog closes", async () => {
    const page = await open("/queues/stopped");
    const resume = page.getByRole("button", { name: act.resume, exact: true });
    await resume.focus();
    for (const close of ["Escape", "Enter"]) {
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      if (close === "Enter") await page.getByRole("dialog").getByLabel(common.close).focus();
      await page.keyboard.press(close);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe(`${act.resume}p`);
    }
  });

  test("a command to copy names this server and leaves the reason to whoever runs it", async () => {
    const { failedJobId } = await server.client().queues.overview({ queue: "stopped" });
    const { ticket } = await server.client().jobs.show({ id: failedJobId ?? "" });
    await operator.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open(`/jobs/${failedJobId}`);
    const row = page.getByRole("listitem").filter({ hasText: act.skip });
    const clipboard = () => page.evaluate("navigator.clipboard.readText()");
    await row.getByRole("button", { name: jobWords.cli }).click();
    await expect.poll(clipboard).toBe(`andon skip ${ticket} --reason '' --url '${server.url}'`);
    await row.getByRole("button", { name: jobWords.curl }).click();
    await expect.poll(clipboard).toContain(`-d '{"reason":""}'`);
    const refused = server.client().jobs.skip({ id: failedJobId ?? "", reason: "" });
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });

  test("a running job tells its time like the rest of the page, and which attempt it is", async () => {
    const { id } = await server.client().queues.add({ queue: "slow", payload: {} });
    await expect
      .poll(async () => (await server.client().jobs.show({ id })).state, { timeout: 15_000 })
      .toBe("running");
    const page = await open(`/jobs/${id}`);
    await page.getByText(jobWords.attemptRuns(1)).waitFor();
    const stands = page.getByRole("region", { name: jobWords.why.ended });
    expect(await stands.textContent()).toMatch(/\d\d:\d\d:\d\d/);
    expect(await stands.textContent()).not.toMatch(/\dT\d|\dZ/);
  });
});

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement?.textContent");
}
