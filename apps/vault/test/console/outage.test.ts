import { browserPath, KINDS, lampWord, type Operator, openBrowser, signIn } from "@andon/console/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VaultConsoleServer } from "./vault-console-server.ts";
import { WORDS } from "./words.ts";

const FILES = 30;
/** The reason of the failure, in each language. */
const NOT_MOUNTED = { en: "is not there, or not mounted", ko: "없거나 마운트되지 않았습니다" } as const;
/** No automatic retry happens during a test; the operator starts each one. */
const PATIENT = { attempts: 2, backoff: { delay: "1h" } } as const;

describe.skipIf(!browserPath).each(KINDS)("a long outage with many files, on %s in %s", (store, language) => {
  const { act, board, counts, lamp, queue: say, vault } = WORDS[language];
  let browser: Browser;
  let app: VaultConsoleServer;
  let operator: Operator;
  /** The page of another user: the test only watches it, and never reloads it. */
  let watcher: Page;

  beforeAll(async () => {
    app = await VaultConsoleServer.start(store, PATIENT);
    await app.upload("while all was well.txt");
    await app.untilSynced();
    browser = await openBrowser();
    operator = await signIn(browser, app.server, language);
    watcher = (await signIn(browser, app.server, language)).page;
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** Disconnects the NAS, and then uploads the files; the folder's page is open from the start. */
  const begin = async (folderName: string) => {
    const { id } = await app.vault.folders.create({ name: folderName });
    await watcher.goto(`${app.server.url}/vault/files/${id}`);
    await watcher.locator("[data-live=live]").waitFor();
    await watcher.evaluate("globalThis.isTheSamePage = true");
    app.takeNasAway();
    const names = Array.from({ length: FILES }, (_, index) => `f${String(index).padStart(2, "0")}.txt`);
    await Promise.all(names.map((name) => app.upload(name, name, id)));
    return names.map((name) => `${folderName}/${name}`);
  };
  const resumes = async () => (await app.server.client().audit.list({ action: "queue.resume" })).total;
  const marks = (mark: string) => watcher.locator(`[data-sync=${mark}]`);
  const confirm = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  /** Runs the probe at once instead of in an hour. */
  const runProbe = async ({ page }: Operator) => {
    await page.getByRole("term").filter({ hasText: board.probe }).waitFor();
    await page
      .getByRole("definition")
      .getByRole("link", { name: /^#\d+$/ })
      .click();
    await page.getByRole("button", { name: act["run-now"] }).click();
    await confirm(page, act["run-now"]);
  };
  const openQueue = async ({ page }: Operator) => {
    await page.goto(app.server.url);
    await page.getByRole("link", { name: `${board.goLook}: nas-sync` }).click();
    await page.getByRole("heading", { name: "nas-sync" }).waitFor();
  };
  const allArrived = async (paths: readonly string[]) => {
    await counted(marks("IDLE"), FILES);
    await watcher.locator("[data-nas-line]").waitFor({ state: "detached" });
    expect(paths.filter((path) => app.read(path) === undefined)).toEqual([]);
    expect(await watcher.evaluate("globalThis.isTheSamePage")).toBe(true);
    expect(operator.complaints).toEqual([]);
  };

  test("costs only one file its attempts; the others wait, and all arrive after a person resumes", {
    timeout: 60_000,
  }, async () => {
    const { page } = operator;
    const paths = await begin("many");
    await watcher.locator("[data-nas-line=degraded]").getByText(vault.line.waits(FILES)).waitFor();
    await counted(marks("PENDING"), FILES);
    await openQueue(operator);
    await page.getByText(lamp.degraded, { exact: true }).waitFor();
    await page.getByText(board.degradedShort).waitFor();
    await runProbe(operator);

    await watcher
      .locator("[data-nas-line=stopped]")
      .getByText(vault.line.waits(FILES - 1))
      .waitFor();
    await counted(marks("HELD"), 1);
    await counted(marks("PENDING"), FILES - 1);
    const { items } = await app.server.client().jobs.list({ queue: "nas-sync", limit: 100 });
    const attempts = items
      .filter(({ state }) => state !== "done")
      .map(({ state, attempts }) => `${state} ${attempts}`)
      .sort();
    expect(attempts).toEqual(["failed 2", ...Array(FILES - 1).fill("ready 0")]);

    await openQueue(operator);
    const failed = page.getByRole("table", { name: say.failed });
    await failed.getByText("NOT_MOUNTED").waitFor();
    await page.getByRole("table", { name: say.groups }).getByText(NOT_MOUNTED[language]).waitFor();
    await page.getByRole("link", { name: `${FILES - 1} ${counts.waiting}` }).waitFor();
    await page.getByRole("link", { name: `1 ${counts.failed}` }).waitFor();

    app.bringNasBack();
    await page.getByRole("button", { name: act.retryAll, exact: true }).click();
    await confirm(page, act.retryAll);
    await page.getByText(say.failedNone).waitFor();
    await counted(marks("PENDING"), FILES);
    expect(paths.filter((path) => app.read(path) !== undefined)).toEqual([]);
    await page.getByRole("button", { name: act.resume }).click();
    await page.getByRole("dialog").getByText(act.effect.resume(FILES)).waitFor();
    await confirm(page, act.resume);
    await lampWord(page, lamp.running).waitFor();
    await allArrived(paths);
  });

  test("ends automatically when the probe succeeds, without a resume", async () => {
    const before = await resumes();
    const paths = await begin("again");
    await watcher.locator("[data-nas-line=degraded]").waitFor();
    await counted(marks("PENDING"), FILES);
    app.bringNasBack();
    await openQueue(operator);
    await runProbe(operator);
    await allArrived(paths);
    expect(await resumes()).toBe(before);
    const queue = await app.server.client().queues.overview({ queue: "nas-sync" });
    expect(queue).toMatchObject({ state: "open", failed: 0, waiting: 0, delayed: 0 });
  });
});

/** Waits until a page shows exactly this many. */
async function counted(found: Locator, count: number): Promise<void> {
  await expect.poll(() => found.count()).toBe(count);
}
