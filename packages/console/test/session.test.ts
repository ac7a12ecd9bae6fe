import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleServer } from "./console-server.ts";
import { demoLine } from "./demo-line.ts";
import { browserPath, LONGEST_WAIT_MS, openBrowser, signIn } from "./operator.ts";

describe.skipIf(!browserPath)("signing in to the console", () => {
  let browser: Browser;
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await ConsoleServer.start("sqlite", demoLine().settings);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const visit = async (url: string) => {
    const context = await browser.newContext({ locale: "en-US" });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };

  test("a link signs in once and leaves no code in the address or the history", async () => {
    const link = await server.link();
    const page = await visit(link);
    await page.locator("[data-live=live]").waitFor();
    expect(page.url()).toBe(`${server.url}/`);
    expect(await page.evaluate("history.length")).toBe(2);

    const second = await visit(link);
    await second.getByText("This link was used already or has expired.").waitFor();
    await page.context().close();
    await second.context().close();
  });

  test("a wrong key is refused with a message, a right one signs in, and signing out ends the session", async () => {
    const page = await visit(server.url);
    await page.getByLabel("API key").fill("not-a-key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This key is not valid, was revoked, or has expired.").waitFor();

    const { token } = await server.client().keys.create({ name: "night shift", permissions: ["queue.read"] });
    await page.getByLabel("API key").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Board" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await page.context().close();
  });

  test("a read-only key sees no actions and no keys", async () => {
    const { token } = await server.client().keys.create({ name: "reader", permissions: ["queue.read"] });
    const page = await visit(server.url);
    await page.getByLabel("API key").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Board" }).waitFor();
    expect(await page.getByRole("link", { name: "Keys" }).count()).toBe(0);
    await page.goto(`${server.url}/queues/nas-sync`);
    await page.getByRole("heading", { name: "nas-sync" }).waitFor();
    expect(await page.getByRole("button", { name: "Pause queue" }).count()).toBe(0);
    await page.goto(`${server.url}/keys`);
    await page.getByText("Your key may not see this").waitFor();
    await page.context().close();
  });

  test("a key with a tenant sees its own jobs, and nothing about all tenants", async () => {
    await server.client().queues.add({ queue: "reports", payload: { nasPath: "/t" }, tenantId: "acme" });
    const { token } = await server
      .client()
      .keys.create({ name: "acme", permissions: ["queue.read", "queue.operate"], tenantId: "acme" });
    const page = await visit(server.url);
    const errors: string[] = [];
    await page.getByLabel("API key").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Board" }).waitFor();
    page.on("response", (response) => void (response.status() >= 400 && errors.push(response.url())));
    await page.goto(`${server.url}/queues/reports`);
    await page.getByText("No failed jobs").waitFor();
    expect(await page.getByRole("link", { name: "Workers" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Pause queue" }).count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("a session that ends during a decision says so, and the typed reason is there after the next sign-in", async () => {
    const { token } = await server.client().keys.create({ name: "late shift", permissions: ["admin"] });
    const page = await visit(`${server.url}/queues/thumbnails`);
    const key = page.getByLabel("API key");
    const ended = page.locator("[data-session-ended]");
    const signInByKey = async () => {
      expect(await key.evaluate(isFocused)).toBe(true);
      await key.fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "thumbnails" }).waitFor();
    };
    const reason = page.getByLabel("Reason (optional)");
    const pause = async () => {
      await page.getByRole("button", { name: "Pause queue" }).click();
      await reason.waitFor();
    };
    const confirm = () => page.getByRole("dialog").getByRole("button", { name: "Pause queue" }).click();

    await key.waitFor();
    expect(await ended.count()).toBe(0);
    await signInByKey();
    await pause();
    await reason.fill("the NAS is moved");
    await page.context().clearCookies();
    await confirm();
    await ended.getByText("“Pause thumbnails” was not done: nothing was changed.").waitFor();
    await ended.getByText("The reason that you typed is kept").waitFor();
    await signInByKey();
    expect(page.url()).toBe(`${server.url}/queues/thumbnails`);

    await pause();
    expect(await reason.inputValue()).toBe("the NAS is moved");
    await page.route("**/queues/thumbnails/pause", (route) => route.abort());
    await page.context().clearCookies();
    await confirm();
    await ended.getByText("It is not known whether “Pause thumbnails” was done.").waitFor();
    await signInByKey();
    await page.getByRole("button", { name: "Sign out" }).click();
    await key.waitFor();
    expect(await ended.count()).toBe(0);
    await page.context().close();
  });

  test("a new key's token stays visible until the person confirms to have saved it", async () => {
    const { page, close } = await signIn(browser, server, "en");
    await page.goto(`${server.url}/keys`);
    let answer = () => {};
    await page.route("**/admin/keys", async (route) => {
      if (route.request().method() === "POST") {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      await route.continue();
    });
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog");
    const token = dialog.locator("[data-token]");
    const pressEsc = async (shown: Locator) => {
      for (let press = 1; press <= 3; press++) {
        await page.keyboard.press("Escape");
        await expect.poll(() => shown.isVisible()).toBe(true);
      }
    };
    await dialog.getByLabel("Name").fill("kept");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect.poll(() => dialog.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
    await pressEsc(dialog.getByLabel("Name"));
    answer();
    await token.waitFor();
    await pressEsc(token);
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "I have kept it" }).click();
    await dialog.waitFor({ state: "detached" });
    await close();
  });

  test("a new key's token is shown once, and the key can be revoked", async () => {
    const { page, close } = await signIn(browser, server, "en");
    await page.goto(`${server.url}/keys`);
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByText("Close", { exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New key" }).click();
    expect(await page.evaluate("document.activeElement?.name")).toBe("name");
    await page.getByLabel("Name").fill("deploy");
    await page.getByRole("button", { name: "Create key" }).click();
    const token = (await page.locator("[data-token]").textContent()) ?? "";
    expect(token.length).toBeGreaterThan(20);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: "Revoke key deploy" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row").filter({ hasText: "deploy" }).getByText("Revoked").waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    await close();
  });
});

/** It runs in the page: the test side does not have the DOM types. */
const isFocused = (element: unknown) =>
  (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement === element;
