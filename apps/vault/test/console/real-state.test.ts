import { browserPath, ONE_KIND, type Operator, openBrowser, signIn } from "@andon/console/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VaultConsoleServer } from "./vault-console-server.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(ONE_KIND)(
  "the vault's rooms show the real state, on %s in %s",
  (store, language) => {
    const { common, login, vault: say } = WORDS[language];
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

    const open = async (path: string) => {
      await operator.page.goto(app.server.url + path);
      await operator.page.locator("[data-live=live]").waitFor();
      return operator.page;
    };
    const choose = (page: Page, name: string) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(name) });

    test("an upload whose answer is lost may have arrived; trying again does not store it twice", async () => {
      const page = await open("/vault/files");
      const keys: (string | undefined)[] = [];
      await page.route("**/files/upload", async (route) => {
        keys.push(route.request().headers()["idempotency-key"]);
        if (keys.length > 1) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await choose(page, "once.txt");
      const failed = page.locator("[data-upload=failed]");
      await failed.getByText(say.uploads.noAnswerHint).waitFor();
      expect(await failed.textContent()).not.toContain(say.uploads.state.failed);
      expect((await app.vault.files.list({ text: "once.txt" })).total).toBe(1);
      await failed.getByRole("button", { name: say.uploads.againOf("once.txt") }).click();
      await page.locator("[data-upload=done]").waitFor();
      expect(keys).toEqual([expect.any(String), keys[0]]);
      expect((await app.vault.files.list({ text: "once.txt" })).total).toBe(1);
      await page.unroute("**/files/upload");
    });

    test("an upload with an invalid name offers no retry", async () => {
      const page = await open("/vault/files");
      await choose(page, "가".repeat(100));
      const failed = page.locator("[data-upload=failed]");
      await failed.getByText("INVALID_NAME").waitFor();
      const dismissed = failed.getByRole("button", { name: say.uploads.dismissOf("가".repeat(100)) });
      expect(await failed.getByRole("button").count()).toBe(1);
      await dismissed.click();
      await failed.waitFor({ state: "detached" });
    });

    test("an expired item is shown as due for the next clean-up, not as deleted", async () => {
      await app.vault.files.remove({ id: await app.upload("old.txt") });
      await operator.page.route("**/trash?**", async (route) => {
        if (route.request().resourceType() === "document") return route.continue();
        const response = await route.fetch();
        const trash = (await response.json()) as { items: object[] };
        const expiresAt = new Date(Date.now() - 27_000).toISOString();
        const items = trash.items.map((item) => ({ ...item, expiresAt }));
        await route.fulfill({ response, json: { ...trash, items } });
      });
      const page = await open("/vault/trash");
      await page.getByText(say.trash.expired).filter({ visible: true }).waitFor();
      await page.getByRole("button", { name: say.trash.ofRestore("old.txt") }).waitFor();
      await page.unroute("**/trash?**");
    });

    test("a key that may not decide sees a held file without a decision", async () => {
      const folder = await app.vault.folders.create({ name: "taken" });
      const id = await app.upload("held.txt");
      await app.untilSynced();
      app.obstruct("taken/held.txt");
      await app.vault.files.move({ id, targetFolderId: folder.id });
      await app.untilHeld(1);
      const permissions = ["queue.read", "files.read"] as const;
      const { token } = await app.server
        .client()
        .keys.create({ name: "viewer", permissions: [...permissions] });
      const locale = language === "ko" ? "ko-KR" : "en-US";
      const page = await (await browser.newContext({ locale })).newPage();
      await page.goto(`${app.server.url}/vault/held`);
      await page.getByLabel(login.byKey).fill(token);
      await page.getByRole("button", { name: login.submit }).click();
      await page.getByRole("button", { name: say.held.ofLook("held.txt") }).click();
      await page
        .getByRole("dialog")
        .getByRole("heading", { name: say.held.ofLook("held.txt") })
        .waitFor();
      expect(await page.getByText(say.held.ofDecide("held.txt")).count()).toBe(0);
      await page.locator("[data-occupied=file]").waitFor();
      expect(await page.getByRole("dialog").getByRole("radio", { disabled: true }).count()).toBe(3);
      await page.context().close();
    });

    test("a comparison without the NAS shows why it makes no progress, and when it is tried again", async () => {
      app.takeNasAway();
      const { id } = await app.vault.drift.start({});
      const page = await open(`/vault/drift?run=${id}`);
      const trouble = page.locator("[data-drift-trouble]");
      await trouble.getByText("마운트되지 않았습니다").waitFor();
      await trouble.getByText(say.drift.attemptFailed(1)).waitFor();
      await trouble.getByText(say.drift.nextTry).waitFor();
      app.bringNasBack();
      await page.locator("[data-drift=DONE]").waitFor();
      expect(await trouble.count()).toBe(0);

      // The held file was left out, so the page must not say that everything is in its place.
      await page.getByText(say.drift.nothingDiffers).waitFor();
      expect(await page.getByText(say.drift.clean).count()).toBe(0);
      await page.locator("[data-left-out='1']").getByRole("link", { name: say.held.title }).click();
      await page.getByRole("button", { name: say.held.ofDecide("held.txt") }).click();
      await page.getByRole("dialog").locator("[data-choice=cancel]").click();
      await page.getByLabel(common.reasonRequired).fill("it stays where it is");
      await page.getByRole("dialog").getByRole("button", { name: say.held.action.cancel }).click();
      await page.getByText(say.held.none).waitFor();
    }, 60_000);
  },
);
