import { until } from "@andon/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, OTHER_KIND } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

const DESK = { width: 1280, height: 900 };

describe.skipIf(!browserPath).each(OTHER_KIND)("finding, on %s in %s", (store, language) => {
  const words = WORDS[language];
  const { act, columns, jobs: say, line, palette, state, views } = words;
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  let failed: { readonly id: string; readonly ticket: string };

  beforeAll(async () => {
    const handler = (async ({ payload }: { payload: { fails?: string } }) => {
      if (payload.fails) throw Object.assign(new Error(payload.fails), { code: "EFULL" });
    }) as never;
    server = await ConsoleServer.start(store, {
      queues: { mail: { attempts: 1, onFinalFailure: "hold-lane", handler }, idle: {} },
    });
    const client = server.client();
    failed = await client.queues.add({
      queue: "mail",
      name: "SEND",
      key: "kim",
      payload: { fails: "the box is full" },
    });
    for (const key of ["lee", "park"])
      await client.queues.add({ queue: "mail", name: "SEND", key, payload: {} });
    for (const name of ["one", "two", "three"]) await client.queues.add({ queue: "idle", name, payload: {} });
    await until(async () => (await client.queues.overview({ queue: "mail" })).completed === 2);
    await until(async () => (await client.queues.overview({ queue: "mail" })).failed === 1);
    browser = await openBrowser();
    operator = await signIn(browser, server, language, { viewport: DESK });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => operator.startOver());
  afterEach(() => expect(operator.complaints).toEqual([]));

  const open = async (path: string) => {
    await operator.page.goto(server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    return operator.page;
  };
  const rows = (page: Page) => page.getByRole("table", { name: say.title }).locator("tbody tr");
  const box = (page: Page) => page.locator("main").getByRole("combobox", { name: line.label });
  const tab = (page: Page, name: string) =>
    page.getByRole("navigation", { name: line.states }).getByRole("link", { name });

  test("the states are tabs with counts, which respect the other filters", async () => {
    const page = await open("/jobs");
    await rows(page).nth(5).waitFor();
    expect(await tab(page, words.common.all).getAttribute("aria-current")).toBe("page");
    await tab(page, `${state.failed} 1`).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?state=failed");
    expect(await tab(page, state.failed).getAttribute("aria-current")).toBe("page");
    await page.goto(`${server.url}/jobs?queue=idle`);
    await tab(page, `${state.failed} 0`).waitFor();
    await tab(page, `${state.ready} 3`).waitFor();
    // A job that is done at the first attempt has one attempt.
    await page.goto(`${server.url}/jobs?queue=mail&state=done`);
    const done = rows(page).filter({ hasText: "lee" });
    await done.waitFor();
    const heads = await page.getByRole("columnheader").allTextContents();
    expect(await done.getByRole("cell").nth(heads.indexOf(columns.attempts)).textContent()).toBe("1");
  });

  test("filters are typed in one line, with only the keyboard, and are stored in the address", async () => {
    const page = await open("/jobs");
    await rows(page).nth(5).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("queue:ma");
    await page.getByRole("option", { name: "mail" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.keyboard.type('code:EFULL kind:SEND state:failed "box is"');
    await page.keyboard.press("Enter");
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      queue: "mail",
      code: "EFULL",
      name: "SEND",
      state: "failed",
      text: "box is",
    });
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    await box(page).focus();
    await page.keyboard.press("Backspace");
    await expect.poll(() => new URL(page.url()).searchParams.get("text")).toBe(null);
    await page.getByRole("button", { name: line.remove(line.field.code, "EFULL") }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("code")).toBe(null);
    expect(await page.evaluate("document.activeElement?.getAttribute('role')")).toBe("combobox");
    await page.getByRole("button", { name: words.common.clear }).click();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
  });

  test("a time can be given as an age, and an invalid value is reported", async () => {
    const page = await open("/jobs");
    await box(page).fill("from:1h");
    await box(page).press("Enter");
    await page.locator("[data-chip=from]").waitFor();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
    await box(page).fill("to:1h");
    await box(page).press("Enter");
    await page.getByText(say.none).waitFor();
    await box(page).fill("state:bogus");
    await box(page).press("Enter");
    await page.getByText(say.unknown(say.state, "bogus")).waitFor();
  });

  test("the list can be reversed if an index allows it", async () => {
    const page = await open("/jobs?queue=idle&state=ready");
    await rows(page).nth(2).waitFor();
    const tickets = () => rows(page).locator("[data-row-link]").allTextContents();
    const before = await tickets();
    await page.getByRole("columnheader").getByRole("button").click();
    await expect.poll(tickets).toEqual(before.toReversed());
    expect(new URL(page.url()).searchParams.get("reverse")).toBe("true");
    const header = page.getByRole("columnheader", { name: say.made });
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await open("/jobs?text=SEND");
    await rows(page).nth(2).waitFor();
    expect(await page.getByRole("columnheader").getByRole("button").count()).toBe(0);
    await page.getByRole("columnheader", { name: columns.duration }).waitFor();
  });

  test("a view is saved under a name in this browser, and restores its search", async () => {
    const page = await open("/jobs?queue=mail&state=failed");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: views.title }).click();
    await dialog.getByLabel(views.name).fill("full boxes");
    await page.keyboard.press("Enter");
    await dialog.getByRole("link", { name: "full boxes" }).waitFor();
    await page.keyboard.press("Escape");
    await open("/jobs");
    await page.getByRole("button", { name: views.title }).click();
    await dialog.getByRole("link", { name: "full boxes" }).click();
    await page.waitForURL(`${server.url}/jobs?queue=mail&state=failed`);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole("button", { name: views.title }).click();
    await dialog.getByRole("button", { name: views.remove("full boxes") }).click();
    await dialog.getByText(views.none).waitFor();
  });

  test("the palette finds a job by its ticket, id, key and text", async () => {
    const page = await open("/");
    const found = page.getByRole("option", { name: `#${failed.ticket} kim` });
    for (const text of ["kim", "box is full", failed.id.slice(0, 23)]) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
      await found.waitFor();
      await page.keyboard.press("Escape");
    }
    for (const text of [`#${failed.ticket}`, failed.id]) {
      await page.goto(server.url);
      await page.locator("[data-open-palette]").click();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/jobs/${failed.id}`);
    }
    await page.getByRole("heading", { level: 1, name: `#${failed.ticket}` }).waitFor();
    await page.keyboard.press("Control+k");
    const recent = page.getByRole("group", { name: palette.recent });
    await recent.getByRole("option", { name: `#${failed.ticket} kim` }).waitFor();
  });

  test("the palette pauses a queue with the same confirmation as its button, and changes the theme", async () => {
    const page = await open("/");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("pause idle");
    const action = page.getByRole("option", { name: act.of.pause("idle"), exact: true });
    await action.waitFor();
    while ((await action.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: act.of.pause("idle") });
    await dialog.getByText(words.common.nothingElse).waitFor();
    expect((await server.client().queues.status({ queue: "idle" })).isPaused).toBe(false);
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    expect((await server.client().queues.status({ queue: "idle" })).isPaused).toBe(true);
    await server.client().queues.resume({ queue: "idle" });

    await page.keyboard.press("Control+k");
    await page.keyboard.type("theme dark");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  });

  test("palette and search line are accessible, and fit a phone", async () => {
    const page = await open("/jobs?queue=mail&code=EFULL");
    await rows(page).first().waitFor();
    expect(await tooWideForAPhone(page)).toEqual([]);
    await box(page).click();
    await page.getByRole("listbox", { name: line.suggestions }).waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("mail");
    await page.getByRole("option", { name: act.of.pause("mail"), exact: true }).waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
  });

  test("the main decision has a key, and the focus never falls to the body", async () => {
    const page = await open(`/jobs/${failed.id}`);
    await page.getByRole("button", { name: act.retry }).waitFor();
    await page.keyboard.press("d");
    await page.getByRole("dialog", { name: act.of.retry(failed.ticket) }).waitFor();
    await page.keyboard.press("Escape");
    const isOnBody = () => page.evaluate("document.activeElement === document.body");
    // The focused link is removed with its room.
    await page.locator("main a[href='/queues/mail']").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "mail" }).waitFor();
    expect(await isOnBody()).toBe(false);
    // The row of the failed job is removed after another person's decision.
    const link = page.getByRole("table", { name: words.queue.failed }).locator("[data-row-link]").first();
    await link.focus();
    await server.client().jobs.skip({ id: failed.id, reason: "settled elsewhere" });
    await link.waitFor({ state: "detached" });
    expect(await isOnBody()).toBe(false);
  });
});
