import { rmSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleServer } from "./console-server.ts";
import { demoLine } from "./demo-line.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { VaultLine } from "./vault-line.ts";

const HOSTILE = "<img src=x onerror=document.title=1><script>document.title=1<";
const STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };
const ROOMS = [
  "/vault/files",
  "/vault/files/:folder",
  "/vault/files/file/:held",
  "/vault/files?in=all&text=src",
  "/vault/held",
  "/vault/trash",
  "/vault/drift",
];
const QUOTING = ROOMS.filter((path) => path !== "/vault/files/:folder");

describe.skipIf(!browserPath)("the vault's rooms", () => {
  let browser: Browser;
  let line: VaultLine;
  const operators = {} as Record<"ko" | "en", Operator>;
  const ids: Record<string, string> = {};

  /** A hostile name wherever one can stand: in a folder, held, in the trash, and among what differs. */
  beforeAll(async () => {
    line = await VaultLine.start();
    const { vault } = line;
    ids.folder = (await vault.folders.create({ name: "계약" })).id;
    await line.upload("a.txt", "a", ids.folder);
    const lost = await line.upload(`${HOSTILE} lost`);
    await vault.files.remove({ id: await line.upload(`${HOSTILE} trashed`) });
    ids.held = await line.upload(HOSTILE);
    await line.untilSynced();
    line.obstruct(`계약/${HOSTILE}`);
    await vault.files.move({ id: ids.held, targetFolderId: ids.folder });
    await vault.files.rename({ id: ids.held, newName: `${HOSTILE} moved` });
    await line.untilHeld(1);
    rmSync(line.onNas((await vault.files.show({ id: lost })).path));
    browser = await openBrowser();
    operators.ko = await signIn(browser, line.server, "ko", { viewport: DESK });
    operators.en = await signIn(browser, line.server, "en", { viewport: DESK });
    await compare(operators.en);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await line?.close();
  });

  const open = async (operator: Operator, path: string) => {
    const { page } = operator;
    await page.goto(line.server.url + path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? ""));
    await page.locator("[data-live=live]").waitFor();
    await page.locator("main h1").waitFor();
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    return page;
  };
  const compare = async (operator: Operator) => {
    const page = await open(operator, "/vault/drift");
    await page.getByRole("button", { name: "Compare now" }).click();
    await page.getByLabel("Also read every byte").check();
    await page.getByRole("dialog").getByRole("button", { name: "Compare now" }).click();
    await page.locator("[data-drift=DONE]").waitFor();
    return page;
  };
  const violations = async ({ page }: Operator, colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const axe = new AxeBuilder({ page });
    const found = await (colorScheme === "dark"
      ? axe.withRules("color-contrast")
      : axe.withTags(STANDARD)
    ).analyze();
    return found.violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
  };

  test.each(ROOMS)("%s is accessible in light and dark and fits a phone, in Korean", async (path) => {
    const page = await open(operators.ko, path);
    expect(await violations(operators.ko, "light")).toEqual([]);
    expect(await violations(operators.ko, "dark")).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(PHONE.width);
    await page.setViewportSize(DESK);
    expect(operators.ko.complaints).toEqual([]);
  });

  test.each(QUOTING)("%s shows names as text, never as markup, in English", async (path) => {
    const page = await open(operators.en, path);
    await page.getByText("<img src=x onerror=").filter({ visible: true }).first().waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).toBe("Andon");
    expect(operators.en.complaints).toEqual([]);
  });

  test("a held file shows where each choice leads, and goes on as decided", async () => {
    const page = await open(operators.en, "/vault/held");
    await page.getByRole("button", { name: /^Decide about/ }).click();
    const choice = (action: string) => page.locator(`[data-choice=${action}]`);
    await choice("retry").locator("[data-matches=true]").waitFor();
    await choice("cancel").getByText("not as the store says").waitFor();
    await choice("cancel").getByText("Rename: cancelled").waitFor();
    expect(await violations(operators.en, "light")).toEqual([]);

    await choice("skip").click();
    const skip = page.getByRole("dialog").getByRole("button", { name: "Skip" });
    expect(await skip.isDisabled()).toBe(true);
    await page.getByLabel("Reason (required)").fill("the other file is right");
    await skip.click();
    await page.getByText("No file is held").waitFor();
    await line.untilSynced();
    expect(line.read(`계약/${HOSTILE} moved`)).toBe(HOSTILE);
    const { items } = await line.server.client().audit.list({ action: "job.resolve" });
    expect(items[0]?.reason).toBe("the other file is right");
  });

  test("what differs is shown by kind and repaired; what nobody knows stays", async () => {
    const page = await compare(operators.en);
    await page.getByRole("button", { name: "Unknown on the NAS 1" }).waitFor();
    await page.getByRole("button", { name: "Missing on the NAS 1" }).click();
    expect(await page.getByRole("table", { name: "What differs" }).getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Repair", exact: true }).click();
    await page.getByText("1 file is brought to the NAS again").waitFor();
    await page.getByText("1 unknown file stays untouched").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Repair" }).click();
    await page.getByText("1 repair is queued; 1 left.").waitFor();
    await page.getByRole("link", { name: "Repair queued" }).waitFor();
    await line.untilSynced();
    expect(line.read(`${HOSTILE} lost`)).toBe(`${HOSTILE} lost`);
    expect(line.read(`계약/${HOSTILE}`)).toBe("somebody else's");
    expect(await page.getByRole("table", { name: "Last comparisons" }).getByRole("row").count()).toBe(3);
  });

  test("while the NAS is away changes are kept and shown as waiting; they follow when it is back", async () => {
    line.takeNasAway();
    const page = await open(operators.ko, "/vault/files");
    const id = await line.upload("late.txt", "late");
    const row = page.getByRole("row").filter({ hasText: "late.txt" });
    await page.locator("[data-nas-line=stopped]").waitFor();
    await row.locator("[data-sync=HELD]").waitFor();
    await page.getByRole("link", { name: "late.txt", exact: true }).click();
    await page.getByText("사람이 결정할 때까지").waitFor();

    line.bringNasBack();
    await page.getByRole("button", { name: "결정하기" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "재시도" }).click();
    await page.locator("[data-sync=PENDING]").waitFor();
    await page.getByText("NAS 동기화 큐가 진행하지 않고 있습니다").waitFor();
    await line.server.client().queues.resume({ queue: "nas-sync" });
    await page.locator("[data-sync=IDLE]").waitFor();
    expect(await page.locator("[data-nas-line]").count()).toBe(0);
    expect(line.read("late.txt")).toBe("late");
    expect((await line.vault.files.syncStatus({ id })).queueStatus).toBe("IDLE");
  });

  test("a key that may only read files sees no action and no room of the queue", async () => {
    const { token } = await line.server.client().keys.create({ name: "reader", permissions: ["files.read"] });
    const page = await (await browser.newContext({ locale: "en-US" })).newPage();
    await page.goto(`${line.server.url}/vault/files`);
    await page.getByLabel("API key").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "late.txt", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Trash" }).count()).toBe(1);
    expect(await page.getByRole("link", { name: /Held files|Drift/ }).count()).toBe(0);
    expect(await page.getByRole("button", { name: /Upload|New folder|Rename|Move/ }).count()).toBe(0);
    await page.context().close();
  });

  test("a server without the vault has none of its rooms, and the page no complaint", async () => {
    const server = await ConsoleServer.start("sqlite", demoLine().settings);
    const { page, complaints, close } = await signIn(browser, server, "en");
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("link", { name: "Jobs", exact: true }).count()).toBe(1);
    expect(await page.getByRole("link", { name: /Files|Trash|Drift/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
    await server.close();
  });
});
