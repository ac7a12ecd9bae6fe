import { rmSync } from "node:fs";
import {
  browserPath,
  ConsoleServer,
  demoLine,
  lampWord,
  type Operator,
  OTHER_KIND,
  openBrowser,
  signIn,
  tooWideForAPhone,
  violations,
} from "@andon/console/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VaultConsoleServer } from "./vault-console-server.ts";
import { WORDS } from "./words.ts";

const HOSTILE = "<img src=x onerror=document.title=1><script>document.title=1<";
const DESK = { width: 1280, height: 800 };
/** Each room, and whether it shows a hostile name. */
const ROOMS = [
  ["/vault/files", true],
  ["/vault/files/:folder", false],
  ["/vault/files/file/:held", true],
  ["/vault/files?in=all&text=src", true],
  ["/vault/held", true],
  ["/vault/trash", true],
  ["/vault/drift", true],
] as const;

describe.skipIf(!browserPath).each(OTHER_KIND)("the vault's rooms, on %s in %s", (store, language) => {
  const { act, common, lamp, login, shell, vault: say } = WORDS[language];
  let browser: Browser;
  let app: VaultConsoleServer;
  let operator: Operator;
  const ids: Record<string, string> = {};

  /** Creates a hostile name in every place: in a folder, held, in the trash, and among the findings. */
  beforeAll(async () => {
    app = await VaultConsoleServer.start(store);
    const { vault } = app;
    ids.folder = (await vault.folders.create({ name: "계약" })).id;
    await app.upload("a.txt", "a", ids.folder);
    const lost = await app.upload(`${HOSTILE} lost`);
    await vault.files.remove({ id: await app.upload(`${HOSTILE} trashed`) });
    ids.held = await app.upload(HOSTILE);
    await app.untilSynced();
    app.obstruct(`계약/${HOSTILE}`);
    await vault.files.move({ id: ids.held, targetFolderId: ids.folder });
    await vault.files.rename({ id: ids.held, newName: `${HOSTILE} moved` });
    await app.untilHeld(1);
    rmSync(app.onNas((await vault.files.show({ id: lost })).path));
    browser = await openBrowser();
    operator = await signIn(browser, app.server, language, { viewport: DESK });
    await compare();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const open = async (path: string) => {
    const { page } = operator;
    await page.goto(app.server.url + path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? ""));
    await page.locator("[data-live=live]").waitFor();
    await page.locator("main h1").waitFor();
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    return page;
  };
  const compare = async () => {
    const page = await open("/vault/drift");
    await page.getByRole("button", { name: say.drift.start }).click();
    await page.getByLabel(say.drift.checksum).check();
    await page.getByRole("dialog").getByRole("button", { name: say.drift.start }).click();
    await page.locator("[data-drift=DONE]").waitFor();
    return page;
  };

  test.each(ROOMS)("%s is accessible, fits a phone, and shows names as text", async (path, isHostile) => {
    const page = await open(path);
    expect(await violations(page, "light")).toEqual([]);
    expect(await violations(page, "dark")).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    if (isHostile) await page.getByText("<img src=x onerror=").filter({ visible: true }).first().waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).toMatch(/ · Andon$/);
    expect(operator.complaints).toEqual([]);
  });

  test("the page of a failed operation links to its file and to the decision about it, its queue to the held files", async () => {
    const { items } = await app.vault.syncQueue.held();
    const page = await open(`/jobs/${items[0]?.jobId}`);
    await page.getByRole("button", { name: say.jobPage.decide }).click();
    await page.locator("[data-simulator]").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: common.close }).last().click();
    expect(await violations(page, "light")).toEqual([]);
    await page.locator("[data-job-file]").getByRole("link").click();
    await page.getByText(say.file.why.held).waitFor();
    await open("/queues/nas-sync");
    const held = page.locator("[data-held-count]");
    await held.getByText(say.queuePage.held(1)).waitFor();
    expect(await violations(page, "light")).toEqual([]);
    await held.getByRole("link", { name: say.queuePage.toHeld }).click();
    await page.getByRole("button", { name: say.held.ofDecide(`${HOSTILE} moved`) }).waitFor();
  });

  test("a held file shows the outcome of each choice, and continues as decided", async () => {
    const page = await open("/vault/held");
    await page.getByRole("button", { name: say.held.ofDecide(`${HOSTILE} moved`) }).click();
    const choice = (action: string) => page.locator(`[data-choice=${action}]`);
    await choice("retry").getByText(say.held.failsAgain).waitFor();
    await page.locator("[data-occupied=file]").getByText(say.held.occupied.file("15 B")).waitFor();
    expect(await choice("retry").locator("[data-matches]").count()).toBe(0);
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("radio", { checked: true }).count()).toBe(0);
    expect(await dialog.getByRole("button", { name: say.held.choose }).isDisabled()).toBe(true);
    await choice("cancel").getByText(say.held.differs).waitFor();
    await choice("cancel").getByText(`${say.operation.RENAME}: ${say.held.outcome.CANCELLED}`).waitFor();
    expect(await violations(page, "light")).toEqual([]);

    await choice("skip").click();
    const skip = dialog.getByRole("button", { name: say.held.action.skip });
    expect(await skip.isDisabled()).toBe(true);
    await page.getByLabel(common.reasonRequired).fill("the other file is right");
    await skip.click();
    await page.getByText(say.held.none).waitFor();
    await app.untilSynced();
    expect(app.read(`계약/${HOSTILE} moved`)).toBe(HOSTILE);
    const { items } = await app.server.client().audit.list({ action: "job.skip" });
    expect(items[0]?.reason).toBe("the other file is right");
  });

  test("findings are shown by kind and repaired; unknown files stay", async () => {
    const page = await compare();
    await page.getByRole("link", { name: `${say.drift.kind.UNKNOWN_ON_NAS} 1` }).waitFor();
    await page.getByRole("link", { name: `${say.drift.kind.MISSING_ON_NAS} 1` }).click();
    const rows = page.getByRole("table", { name: say.drift.findings }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: say.drift.repair, exact: true }).click();
    await page.getByText(say.drift.repairEffect.UPLOAD_AGAIN(1)).waitFor();
    await page.getByText(say.drift.repairEffect.NONE(1)).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: say.drift.repair }).click();
    await page.getByText(say.drift.repairDone(1, 1)).waitFor();
    await page.getByRole("link", { name: say.drift.repaired }).filter({ visible: true }).waitFor();
    // Only the unknown file is left, and it is never repaired automatically.
    await page.getByRole("button", { name: say.drift.repair, exact: true }).waitFor({ state: "detached" });
    await app.untilSynced();
    expect(app.read(`${HOSTILE} lost`)).toBe(`${HOSTILE} lost`);
    expect(app.read(`계약/${HOSTILE}`)).toBe("somebody else's");
    expect(await page.getByRole("table", { name: say.drift.last }).getByRole("row").count()).toBe(3);
  });

  test("while the NAS is away, changes are kept; a retry and a resume copy them to it", async () => {
    app.takeNasAway();
    const page = await open("/vault/files");
    const id = await app.upload("late.txt", "late");
    const row = page.getByRole("row").filter({ hasText: "late.txt" });
    await page.locator("[data-nas-line=stopped]").waitFor();
    await row.locator("[data-sync=HELD]").waitFor();
    await page.getByRole("link", { name: "late.txt", exact: true }).click();
    await page.getByText(say.file.why.held).waitFor();

    app.bringNasBack();
    await page.getByRole("button", { name: say.file.decide }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(act.effect.queueStands).waitFor();
    await dialog.getByRole("button", { name: say.held.action.retry }).click();
    await page.getByText(act.nextResume).waitFor();
    await page.locator("[data-sync=PENDING]").waitFor();
    await page.getByText(say.file.why.stands(1)).waitFor();
    await page.getByRole("link", { name: say.line.look }).click();
    await page.getByRole("button", { name: act.resume }).click();
    await dialog.getByRole("button", { name: act.resume }).click();
    await lampWord(page, lamp.running).waitFor();
    await page.goBack();
    await page.locator("[data-sync=IDLE]").waitFor();
    expect(await page.locator("[data-nas-line]").count()).toBe(0);
    expect(app.read("late.txt")).toBe("late");
    expect((await app.vault.files.syncStatus({ id })).queueStatus).toBe("IDLE");
  });

  test("a key that may only read files sees no actions and no rooms of the queue", async () => {
    const { token } = await app.server.client().keys.create({ name: "reader", permissions: ["files.read"] });
    const locale = language === "ko" ? "ko-KR" : "en-US";
    const page = await (await browser.newContext({ locale })).newPage();
    await page.goto(`${app.server.url}/vault/files`);
    await page.getByLabel(login.byKey).fill(token);
    await page.getByRole("button", { name: login.submit }).click();
    await page.getByRole("link", { name: "late.txt", exact: true }).waitFor();
    const menu = page.getByRole("navigation", { name: shell.menu });
    expect(await menu.getByRole("link", { name: say.trash.title }).count()).toBe(1);
    for (const { title } of [say.held, say.drift]) {
      expect(await menu.getByRole("link", { name: title }).count()).toBe(0);
    }
    const { upload, newFolder, rename, move } = say.files;
    const actions = new RegExp([upload, newFolder, rename, move].join("|"));
    expect(await page.getByRole("button", { name: actions }).count()).toBe(0);
    await page.context().close();
  });
});

test.skipIf(!browserPath)("a server without the vault has none of its rooms and no errors", async () => {
  const browser = await openBrowser();
  const server = await ConsoleServer.start("sqlite", demoLine().settings);
  const { page, complaints } = await signIn(browser, server, "en");
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("link", { name: "Jobs", exact: true }).count()).toBe(1);
  expect(await page.getByRole("link", { name: /Files|Trash|Drift/ }).count()).toBe(0);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/vault/files`);
  await page.getByText(WORDS.en.shell.notFound).waitFor();
  await page.waitForLoadState("networkidle");
  // The page requests nothing of an app that the server does not have.
  expect(asked.filter((path) => /^\/(folders|files|trash|admin\/sync-queue)/.test(path))).toEqual([]);
  expect(complaints).toEqual([]);
  await browser.close();
  await server.close();
});
