import { readFileSync } from "node:fs";
import {
  browserPath,
  LONGEST_WAIT_MS,
  ONE_KIND,
  type Operator,
  openBrowser,
  signIn,
} from "@andon/console/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { VAULT_CODES } from "../../src/console/i18n/codes.ts";
import { until, VaultConsoleServer } from "./vault-console-server.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(ONE_KIND)("files in the console, on %s in %s", (store, language) => {
  const { common, jobs, live, login, problem, vault: say, workers } = WORDS[language];
  let browser: Browser;
  let app: VaultConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    app = await VaultConsoleServer.start(store);
    browser = await openBrowser();
    operator = await signIn(browser, app.server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });
  afterEach(() => {
    const complaints = operator.complaints.splice(0);
    expect(complaints.filter((text) => !text.includes("Failed to load resource"))).toEqual([]);
  });

  const open = async (path: string) => {
    await operator.page.goto(app.server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    return operator.page;
  };
  const row = (page: Page, name: string) =>
    page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
  const confirm = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

  test.each([
    ["/vault/files", say.files.emptyHint],
    ["/vault/drift", say.drift.none],
  ])("%s has no tick while it is empty: nothing has succeeded", async (path, text) => {
    const page = await open(path);
    await page.getByText(text).waitFor();
    expect(await page.locator("main .lucide-circle-check").count()).toBe(0);
  });

  test("several files are chosen and uploaded, and the page shows when they are on the NAS", async () => {
    const page = await open("/vault/files");
    await page.getByText(say.files.emptyHint).waitFor();
    await page.locator("input[type=file]").setInputFiles([
      { name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("1") },
      { name: "둘.txt", mimeType: "text/plain", buffer: Buffer.from("22") },
    ]);
    await page.getByText(say.uploads.summary(2, 2)).waitFor();
    for (const name of ["one.txt", "둘.txt"]) await row(page, name).locator("[data-sync=IDLE]").waitFor();
    expect([app.read("one.txt"), app.read("둘.txt")]).toEqual(["1", "22"]);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: say.files.of.download("둘.txt") }).click();
    expect((await download).suggestedFilename()).toBe("둘.txt");
    expect(readFileSync(await (await download).path(), "utf8")).toBe("22");
  });

  test("a file is dropped into a folder; a taken name is reported with a hint", async () => {
    const folder = await app.vault.folders.create({ name: "drops" });
    const page = await open(`/vault/files/${folder.id}`);
    await page.getByRole("heading", { name: "drops" }).waitFor();
    await drop(page, "dropped.txt", "bytes");
    await row(page, "dropped.txt").locator("[data-sync=IDLE]").waitFor();
    expect(app.read("drops/dropped.txt")).toBe("bytes");

    await drop(page, "dropped.txt", "others");
    const failed = page.locator("[data-upload=failed]");
    await failed.getByText("NAME_TAKEN").waitFor();
    await failed.getByText(VAULT_CODES[language].hints?.NAME_TAKEN ?? "").waitFor();
    await app.vault.files.remove({
      id: (await app.vault.files.list({ text: "dropped" })).items[0]?.id ?? "",
    });
    await failed.getByRole("button", { name: say.uploads.againOf("dropped.txt") }).click();
    await page.getByText(say.uploads.summary(2, 2)).waitFor();
    await until(async () => app.read("drops/dropped.txt") === "others");
  });

  test("a refused upload is counted as such, is listed first, and stays when the list is cleared", async () => {
    await app.upload("taken.txt");
    // The code of rooms is preloaded; the code of this one must not be loaded before the server stops.
    await operator.page.route("**/assets/workers-room-*", (route) => route.abort());
    const page = await open("/vault/files");
    const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("x") });
    await page.locator("input[type=file]").setInputFiles(["a.txt", "taken.txt", "b.txt"].map(file));
    const list = page.locator("[data-uploads]");
    await list.getByText(say.uploads.summary(2, 3)).waitFor();
    await list.getByText(say.uploads.refused(1)).waitFor();
    const states = () =>
      list
        .locator("[data-upload]")
        .evaluateAll((rows) => rows.map((row) => (row as unknown as Row).dataset.upload));
    expect(await states()).toEqual(["failed", "done", "done"]);
    await list.getByRole("button", { name: say.uploads.clear }).click();
    await expect.poll(states).toEqual(["failed"]);

    // After the outage the room waits for the reader to reload the page, and the list of uploads stays.
    await app.server.down();
    await page.getByRole("link", { name: workers.title, exact: true }).click();
    await page.locator("main").getByText(problem.unanswered.page).waitFor();
    await app.server.up();
    await page.getByRole("button", { name: problem.loadAnew }).waitFor();
    await page.unroute("**/assets/workers-room-*");
    await page.locator("nav.rooms a[href='/vault/files']").click();
    await list.getByText(say.uploads.refused(1)).waitFor();
    const loadedAnew = page.waitForEvent("load");
    await list.getByRole("button", { name: say.uploads.dismissOf("taken.txt") }).click();
    await list.waitFor({ state: "detached" });
    await loadedAnew;
  }, 60_000);

  test("a key that may only read files starts on their page, which polls instead of using the stream", async () => {
    const { token } = await app.server.client().keys.create({ name: "files", permissions: ["files.read"] });
    const locale = language === "ko" ? "ko-KR" : "en-US";
    const context = await browser.newContext({ locale });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    const page = await context.newPage();
    const refused: string[] = [];
    page.on("response", (response) => void (response.status() === 403 && refused.push(response.url())));
    await page.goto(app.server.url);
    await page.getByLabel(login.byKey).fill(token);
    await page.getByRole("button", { name: login.submit }).click();
    await page.locator("[data-live=asking]").waitFor();
    await page.waitForURL(`${app.server.url}/vault/files`);
    await page.getByRole("heading", { name: say.files.root }).waitFor();
    await app.upload("seen by asking.txt");
    await row(page, "seen by asking.txt").waitFor();
    expect(await page.getByText(live.hint).count()).toBe(0);
    expect(refused).toEqual([]);
    await context.close();
  });

  test("an upload is cancelled while it runs, and nothing of it is kept", async () => {
    const page = await open("/vault/files");
    // The upload is so slow that there is time to cancel it.
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 50_000,
    });
    const buffer = Buffer.alloc(5_000_000);
    await page.locator("input[type=file]").setInputFiles({ name: "big.bin", mimeType: "text/plain", buffer });
    await page.getByRole("progressbar", { name: say.uploads.progress("big.bin") }).waitFor();
    await page.getByRole("button", { name: say.uploads.cancelOf("big.bin") }).click();
    await page.locator("[data-upload=cancelled]").waitFor();
    expect((await app.vault.files.list({ text: "big.bin" })).total).toBe(0);
    await network.detach();
  });

  test("the next person who signs in on the same page does not see earlier uploads", async () => {
    const { token } = await app.server.client().keys.create({ name: "next", permissions: ["files.read"] });
    const { page, close } = await signIn(browser, app.server, language);
    await page.goto(`${app.server.url}/vault/files`);
    const buffer = Buffer.from("m");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "mine.txt", mimeType: "text/plain", buffer });
    await page.locator("[data-upload=done]").waitFor();
    await page.getByRole("button", { name: login.logout }).click();
    await page.getByLabel(login.byKey).fill(token);
    await page.getByRole("button", { name: login.submit }).click();
    await row(page, "mine.txt").waitFor();
    expect(await page.locator("[data-uploads]").count()).toBe(0);
    await close();
  });

  test("a file is renamed and moved, trashed and restored, and the NAS follows", async () => {
    const target = await app.vault.folders.create({ name: "target" });
    await app.upload("draft.txt", "text");
    const page = await open("/vault/files");
    await page.getByRole("button", { name: say.files.of.rename("draft.txt") }).click();
    await page.getByLabel(say.files.newName).fill("a/b");
    await confirm(page, say.files.rename);
    await page.getByRole("dialog").getByText("INVALID_NAME").waitFor();
    await page.getByLabel(say.files.newName).fill("final.txt");
    await confirm(page, say.files.rename);
    await page.getByRole("button", { name: say.files.of.move("final.txt"), exact: true }).click();
    await page.getByRole("dialog").getByRole("treeitem", { name: "target" }).click();
    await confirm(page, say.files.move);
    await page.getByText(say.files.moved("/target/final.txt")).waitFor();
    await until(async () => app.read("target/final.txt") === "text");

    await page.goto(`${app.server.url}/vault/files/${target.id}`);
    await page.getByRole("button", { name: say.files.of.trash("final.txt") }).click();
    await confirm(page, say.files.trash);
    await page.getByText(say.files.empty).waitFor();
    await until(async () => app.read("target/final.txt") === undefined);

    await page.goto(`${app.server.url}/vault/trash`);
    await page.getByRole("button", { name: say.trash.ofRestore("final.txt") }).click();
    await confirm(page, say.trash.restore);
    await page.getByText(say.trash.restored("/target/final.txt")).waitFor();
    await until(async () => app.read("target/final.txt") === "text");
  });

  test("several files are moved, trashed and restored in one decision, and refused ones are reported", async () => {
    const names = ["m1.txt", "m2.txt", "m3.txt"];
    const select = (page: Page, name: string) => page.getByLabel(say.files.many.select(name));
    const target = await app.vault.folders.create({ name: "many" });
    const taken = await app.upload("m2.txt", "old", target.id);
    for (const name of names) await app.upload(name);
    const page = await open("/vault/files");
    await select(page, "m1.txt").check();
    await select(page, "m2.txt").check();
    await page.getByRole("link", { name: "m3.txt", exact: true }).focus();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: say.files.many.move(3), exact: true }).click();
    await page.getByRole("dialog").getByRole("treeitem", { name: "many" }).click();
    await confirm(page, say.files.move);
    await page.getByRole("dialog").getByText(say.files.many.refused(1, 3)).waitFor();
    await page.getByRole("dialog").getByText("NAME_TAKEN").waitFor();
    await app.vault.files.remove({ id: taken, permanent: "true" });
    await confirm(page, say.files.move);
    await page.getByText(say.files.many.moved(3)).waitFor();

    await page.goto(`${app.server.url}/vault/files/${target.id}`);
    await row(page, "m3.txt").waitFor();
    await page.getByLabel(jobs.selectPage).check();
    await page.getByRole("button", { name: say.files.many.trash(3) }).click();
    await confirm(page, say.files.trash);
    await page.getByText(say.files.empty).waitFor();
    await page.goto(`${app.server.url}/vault/trash`);
    for (const name of names) await select(page, name).check();
    await page.getByRole("button", { name: say.trash.restoreMany(3) }).click();
    await confirm(page, say.trash.restore);
    await page.getByText(say.trash.restoredMany(3)).waitFor();
    await until(async () => names.every((name) => app.read(`many/${name}`) === name));
  });

  test("a file is deleted for good only after its name was typed", async () => {
    const id = await app.upload("secret.txt");
    await app.vault.files.remove({ id });
    const page = await open("/vault/trash");
    await page.getByRole("button", { name: say.trash.ofPurge("secret.txt") }).click();
    const box = page.getByLabel(common.typeName);
    await box.fill("secret");
    await confirm(page, say.trash.purge);
    expect(
      await box.evaluate((input) => (input as unknown as { validity: { valid: boolean } }).validity.valid),
    ).toBe(false);
    expect((await app.vault.files.show({ id })).state).toBe("TRASHED");
    await box.fill("secret.txt");
    await confirm(page, say.trash.purge);
    await page.getByText(say.trash.purged("secret.txt")).waitFor();
    await expect(app.vault.files.show({ id })).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("a folder is created, opened by keyboard, and renamed as one operation", async () => {
    const page = await open("/vault/files");
    await page.getByRole("button", { name: say.files.newFolder }).click();
    await page.getByLabel(say.files.newName).fill("albums");
    await page.keyboard.press("Control+Enter");
    const item = page.getByRole("treeitem", { name: "albums" });
    await item.waitFor();
    await page.getByRole("treeitem", { name: say.files.root }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "albums" }).waitFor();
    const { id } = (await app.vault.folders.show({ id: "root", text: "albums" })).children.items[0] ?? {
      id: "",
    };
    await app.upload("a.txt", "a", id);
    await app.untilSynced();

    await page.getByRole("button", { name: say.files.of.rename("albums") }).click();
    await page.getByLabel(say.files.newName).fill("pictures");
    await confirm(page, say.files.rename);
    const strip = page.locator("[data-folder-operation=DONE]");
    await strip.getByText(say.folderOperation.progress(1, 1)).waitFor();
    expect(app.read("pictures/a.txt")).toBe("a");
    await page
      .getByRole("navigation", { name: say.files.path })
      .getByRole("link", { name: say.files.root })
      .click();
    await row(page, "pictures").waitFor();
  });

  test("files are found in all folders, by name and by their state on the NAS", async () => {
    const folder = await app.vault.folders.create({ name: "deep" });
    await app.upload("needle.txt", "n", folder.id);
    await app.untilSynced();
    const page = await open("/vault/files");
    const finder = page.getByRole("combobox", { name: say.files.searchLabel });
    await finder.fill("needle");
    await finder.press("Enter");
    await page.getByText(say.files.noneFound).waitFor();
    await page.locator("[data-tab=all] a").click();
    await row(page, "needle.txt").getByText(say.availability.AVAILABLE).waitFor();
    await finder.fill("nas:error");
    await finder.press("Enter");
    await page.locator("[data-chip=nas]").getByText(say.availability.ERROR).waitFor();
    await page.getByText(say.files.noneFound).waitFor();
  });
});

/** The part of a DOM element that the test reads; the types of the DOM are not available here. */
type Row = { readonly dataset: { readonly upload?: string } };

/** Sends the page the events of a file that is dropped on it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const { DataTransfer } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: File): void } };
      };
      const transfer = new DataTransfer();
      transfer.items.add(new File([content as string], fileName as string));
      return transfer;
    },
    [name, text],
  );
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page.locator("[data-drop-zone]").dispatchEvent(type, { dataTransfer });
  }
}
