import {
  browserPath,
  CORE_WORDS,
  LONGEST_WAIT_MS,
  ONE_KIND,
  type Operator,
  OTHER_KIND,
  openBrowser,
  signIn,
  THEME,
  tooWideForAPhone,
  violations,
} from "@andon/console/testing";
import { ensureFilmPrograms } from "@andon/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { STUDIO_CODES } from "../../src/console/i18n/codes.ts";
import { studioEn } from "../../src/console/i18n/en.ts";
import { studioKo } from "../../src/console/i18n/ko.ts";
import { png } from "../harness.ts";
import { photograph } from "./photograph.ts";
import { StudioConsoleServer } from "./studio-console-server.ts";

const WORDS = { en: studioEn, ko: studioKo };
const canRender = ensureFilmPrograms() && browserPath !== undefined;

describe.skipIf(!canRender).each(ONE_KIND)("films in the console, on %s in %s", (store, language) => {
  const say = WORDS[language];
  let app: StudioConsoleServer;
  let browser: Browser;
  let operator: Operator;

  beforeAll(async () => {
    app = await StudioConsoleServer.start(store);
    browser = await openBrowser();
    operator = await signIn(browser, app.server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.server.close();
  });
  afterEach(() => expect(operator.complaints.splice(0)).toEqual([]));

  const open = async (path: string) => {
    await operator.page.goto(app.server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    return operator.page;
  };
  const isFine = async (page: Page) => {
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
  };

  test("an empty room says what to do, and every empty tab says what it lists", async () => {
    const page = await open("/studio/tasks");
    for (const tab of [
      "all",
      "scheduled",
      "script",
      "image",
      "video",
      "youtube",
      "failed",
      "completed",
      "cancelled",
    ]) {
      await page.locator(`[data-tab=${tab}] a`).click();
      await page.locator(`[data-tab=${tab}] [aria-current=page]`).waitFor();
      await page
        .getByRole("region")
        .getByText(say.empty[tab]?.[0] ?? "")
        .waitFor();
    }
    await page.locator("[data-tab=all] a").click();
    await page.getByRole("region").getByRole("button", { name: say.make }).waitFor();
    await isFine(page);
    await photograph(page, `empty-${language}`);
  });

  test("a task is created by the form, gets its images by drag and drop, and its film plays in the page", async () => {
    const page = await open("/studio/tasks");
    await page.getByRole("button", { name: say.make }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say.title, { exact: true }).fill("봄 소식");
    await dialog.getByLabel(say.form.prompt).fill("꽃이 핍니다. 새가 돌아옵니다.");
    await dialog.getByLabel(say.priority, { exact: true }).fill("5");
    await dialog.getByLabel(say.form.language).selectOption("ko");
    await isFine(page);
    await photograph(page, `form-${language}`);
    await dialog.getByRole("button", { name: say.form.submit }).click();

    await page.getByRole("heading", { level: 1, name: "봄 소식" }).waitFor();
    await page.locator("[data-attention=images]").waitFor();
    await page.locator("[data-phase=image][aria-current=step]").getByText(say.waitsForImages).waitFor();
    await page.locator("[data-phase=script][data-status=completed]").waitFor();
    await page.locator("[data-script]").getByText("꽃이 핍니다.").waitFor();
    await isFine(page);
    await photograph(page, `waiting-${language}`);

    await drop(page, [{ name: "notes.png", bytes: Buffer.from("no image at all") }]);
    const failed = page.locator("[data-upload=failed]");
    await failed.getByText("TASK_IMAGE_TYPE").waitFor();
    await failed.getByText(STUDIO_CODES[language].hints?.TASK_IMAGE_TYPE ?? "").waitFor();
    expect(operator.complaints.splice(0).filter((text) => !text.includes("415"))).toEqual([]);
    await failed.getByRole("button", { name: say.dismiss }).click();
    await failed.waitFor({ state: "detached" });

    await drop(page, [
      { name: "봄.png", bytes: png(640, 360, [240, 170, 190]) },
      { name: "새.png", bytes: png(640, 360, [120, 180, 240]) },
    ]);
    await page.locator("[data-image='2'] img").waitFor();
    await page.locator("h1 [data-status=completed]").waitFor({ timeout: 60_000 });
    expect(await page.locator("[data-phase][data-status=completed]").count()).toBe(5);
    await page.locator("video").scrollIntoViewIfNeeded();
    expect(await page.evaluate(PLAYED_AND_SOUGHT)).toEqual([null, 320, 0.5]);
    await page.locator("[data-published]").waitFor();
    await isFine(page);
    await photograph(page, `completed-${language}`);

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: say.download }).click();
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
    expect(operator.complaints.splice(0).filter((text) => !text.includes("download"))).toEqual([]);
  }, 120_000);

  test("images are added by keyboard and by address, before the task has begun", async () => {
    const id = await app.make("Early", { scheduledTime: new Date(Date.now() + 86_400_000).toISOString() });
    const page = await open(`/studio/tasks/${id}`);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: say.addImages, exact: true }).focus();
    await page.keyboard.press("Enter");
    await (await chooser).setFiles([{ name: "one.png", mimeType: "image/png", buffer: png() }]);
    await page.locator("[data-image='1'] img").waitFor();
    await page.getByText(say.uploaded(1)).waitFor();

    await page.getByRole("button", { name: say.addUrls, exact: true }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel(say.form.urls);
    await field.fill("example.com/two.png");
    await dialog.getByRole("button", { name: say.addImages, exact: true }).click();
    expect(await page.locator("dialog textarea:invalid").count()).toBe(1);
    await field.fill("https://example.com/two.png\nhttps://example.com/three.png");
    await isFine(page);
    await dialog.getByRole("button", { name: say.addImages, exact: true }).click();
    await page.locator("[data-image='3']").getByText(say.notFetched).waitFor();
    await isFine(page);
    await photograph(page, `images-${language}`);
    await app.tasks.remove({ id });
  }, 60_000);

  test("a task with a later time is listed under scheduled, and is deleted after a warning", async () => {
    const later = new Date(Date.now() + 86_400_000);
    const id = await app.make("Tomorrow", { scheduledTime: later.toISOString(), imageSource: "titles" });
    const page = await open("/studio/tasks?tab=scheduled");
    await page.locator("[data-tab=scheduled] [aria-current=page] [data-count='1']").waitFor();
    await page.getByRole("link", { name: "Tomorrow" }).click();
    await page.locator("[data-phase=schedule][data-status=waiting]").getByText(say.startsAt).waitFor();
    await page.getByText(say.cards).waitFor();
    await isFine(page);
    await page.getByRole("button", { name: say.remove, exact: true }).click();
    await page.getByRole("dialog").getByText(say.removeUnfinished).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: say.remove, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: say.tasks }).waitFor();
    await page.locator("[data-tab=scheduled] [data-count='0']").waitFor();
    const gone = app.tasks.show({ id });
    await expect(gone).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
    await page.goto(`${app.server.url}/studio/tasks/${id}`);
    await page.getByText(say.noTask).waitFor();
    expect(operator.complaints.splice(0).filter((text) => !text.includes("404"))).toEqual([]);
  }, 60_000);
});

/** Plays the film of the page to its end and seeks back; returns the player's state. */
const PLAYED_AND_SOUGHT = `(async () => {
  const video = document.querySelector("video");
  const come = (event) => new Promise((resolve) => video.addEventListener(event, resolve, { once: true }));
  const ended = come("ended");
  await video.play();
  await ended;
  const sought = come("seeked");
  video.currentTime = 0.5;
  await sought;
  return [video.error, video.videoWidth, video.currentTime];
})()`;

/** A video phase that does what the test sets. */
class Renderer {
  share = 0.4;
  mood: "fail" | "work" | "done" = "work";

  readonly run = async ({
    signal,
    progress,
    log,
  }: {
    signal: AbortSignal;
    progress: (share: number) => void;
    log: (message: string, level?: "info" | "warning" | "error") => Promise<void>;
  }) => {
    await log("Rendering 3 scenes.");
    while (this.mood === "work") {
      progress(this.share);
      await new Promise((resolve) => setTimeout(resolve, 20));
      signal.throwIfAborted();
    }
    if (this.mood === "fail") throw new Error("ffmpeg ended with 1: <b>no space</b> left on device");
    return {};
  };
}

describe.skipIf(!browserPath).each(OTHER_KIND)("tasks in trouble, on %s in %s", (store, language) => {
  const say = WORDS[language];
  const { job, login } = CORE_WORDS[language];
  const renderer = new Renderer();
  let app: StudioConsoleServer;
  let browser: Browser;
  let operator: Operator;

  beforeAll(async () => {
    app = await StudioConsoleServer.start(store, {
      executors: { video: renderer.run, youtube: async () => ({}) },
    });
    browser = await openBrowser();
    operator = await signIn(browser, app.server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.server.close();
  });
  afterEach(() => expect(operator.complaints.splice(0)).toEqual([]));

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const confirm = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

  test("progress is live; a failure says why, is retried, forced and cancelled", async () => {
    const id = await app.make("Trouble", { imageSource: "titles" });
    const { page } = operator;
    await page.goto(`${app.server.url}/studio/tasks/${id}`);
    const current = page.locator("[data-phase=video][data-status=processing]");
    await current.locator("[data-progress='0.4']").waitFor();
    renderer.share = 0.7;
    await current.locator("[data-progress='0.7']").waitFor();
    await photograph(page, `working-${language}`);
    await page.locator("[data-log]").getByText("Rendering 3 scenes.").waitFor();

    renderer.mood = "fail";
    const band = page.locator("[data-attention=failed]");
    await band.getByText("<b>no space</b>").waitFor();
    await band.getByText(say.failedHint).waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    await photograph(page, `failed-${language}`);

    // From the list: the first of the allowed retries, which fails as well.
    await page.goto(`${app.server.url}/studio/tasks?tab=failed`);
    await page.locator("[data-tab=failed] [data-count='1']").waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    await photograph(page, `failed-tab-${language}`);
    await page.getByRole("button", { name: say.retryTitle("Trouble") }).click();
    await confirm(page, say.retry);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect
      .poll(async () => {
        const { retryCount, status } = await app.tasks.show({ id });
        return [retryCount, status];
      })
      .toEqual([1, "failed"]);

    // From the alert, one link leads to the job and on to its task, another directly to the task. Its retries are used up.
    await page.goto(`${app.server.url}/alerts`);
    const alert = page.getByRole("article").filter({ hasText: "TASK_FAILED" }).first();
    await alert.getByRole("link", { name: job.title, exact: true }).click();
    await page.getByRole("button", { name: say.forceRetry }).waitFor();
    await photograph(page, `job-${language}`);
    await page.locator("[data-job-task]").getByRole("link", { name: "Trouble" }).click();
    await page.getByRole("heading", { level: 1, name: "Trouble" }).waitFor();
    await page.goto(`${app.server.url}/queues/studio`);
    await page.locator("[data-failed]").getByText("Trouble").first().waitFor();
    await page.goto(`${app.server.url}/alerts`);
    await alert.waitFor();
    await photograph(page, `alerts-${language}`);
    await alert.getByRole("link", { name: say.toTask, exact: true }).click();
    await page.getByText(say.retriesUsed(1)).waitFor();
    renderer.mood = "work";
    await press(page, say.forceRetry);
    await page.getByRole("dialog").getByText(say.forceEffect).waitFor();
    await page.getByRole("dialog").getByRole("textbox").fill("disk is larger now");
    await confirm(page, say.forceRetry);
    await page.locator("h1 [data-status=processing]").waitFor();

    await press(page, say.cancel);
    await page.getByRole("dialog").getByText(say.cancelWorking).waitFor();
    await photograph(page, `cancel-${language}`);
    await confirm(page, say.cancel);
    await page.locator("h1 [data-status=cancelled]").waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    await photograph(page, `cancelled-${language}`);
    await page.goto(`${app.server.url}/studio/tasks?tab=cancelled`);
    await page.getByRole("link", { name: "Trouble" }).waitFor();
    await page.goto(`${app.server.url}/audit`);
    for (const action of ["task.retry", "task.cancel"])
      await page
        .getByRole("row")
        .filter({ hasText: STUDIO_CODES[language].actions?.[action] ?? "" })
        .first()
        .waitFor();
  }, 120_000);

  test("a key that may only read sees the task and no controls to change it", async () => {
    const id = await app.make("Seen", { scheduledTime: new Date(Date.now() + 86_400_000).toISOString() });
    const { token } = await app.server.client().keys.create({ name: "reader", permissions: ["tasks.read"] });
    const context = await browser.newContext({
      locale: language === "ko" ? "ko-KR" : "en-US",
    });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    const page = await context.newPage();
    await page.goto(app.server.url);
    await page.getByLabel(login.byKey).fill(token);
    await page.getByRole("button", { name: login.submit }).click();
    await page.locator("[data-live=asking]").waitFor();
    await page.goto(`${app.server.url}/studio/tasks/${id}`);
    await page.getByRole("heading", { level: 1, name: "Seen" }).waitFor();
    for (const name of [say.cancel, say.remove, say.addImages])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
    await page.goto(`${app.server.url}/studio/tasks`);
    await page.getByRole("link", { name: "Seen" }).waitFor();
    expect(await page.getByRole("button", { name: say.make }).count()).toBe(0);
    await context.close();
  });
});

/** Drops files on the images of a task, as a person does. */
async function drop(page: Page, files: readonly { name: string; bytes: Buffer }[]): Promise<void> {
  const given = files.map(({ name, bytes }) => ({ name, data: bytes.toString("base64") }));
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, data } of ${JSON.stringify(given)}) {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: "image/png" }));
    }
    return transfer;
  })()`);
  for (const type of ["dragenter", "dragover", "drop"])
    await page.dispatchEvent("[data-drop-zone]", type, { dataTransfer: transfer });
}
