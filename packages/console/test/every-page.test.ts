import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { fillTheLine } from "./busy-line.ts";
import { ConsoleServer, KINDS } from "./console-server.ts";
import { demoLine } from "./demo-line.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const DESK = { width: 1280, height: 800 };

const PAGES = [
  "/",
  "/queues/nas-sync",
  "/queues/thumbnails",
  "/jobs/:failed",
  "/jobs/:hostile",
  "/jobs?queue=nas-sync&state=ready",
  "/alerts",
  "/schedules",
  "/workers",
  "/audit",
  "/keys",
  "/settings",
  "/runbooks/line-stopped",
  "/no-such-page",
];

/** Pages that show texts of callers. */
const QUOTING = ["/queues/thumbnails", "/jobs/:hostile", "/jobs?text=onerror", "/alerts", "/audit", "/keys"];

describe.skipIf(!browserPath).each(KINDS)("on %s in %s", (store, language) => {
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  let ids: Record<string, string>;

  beforeAll(async () => {
    const line = demoLine();
    server = await ConsoleServer.start(store, line.settings);
    ids = await fillTheLine(server.client(), line.nas, HOSTILE);
    await server.addSchedule("nightly", "reports");
    browser = await openBrowser();
    operator = await signIn(browser, server, language, { viewport: DESK });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (path: string) => {
    const { page } = operator;
    await page.goto(server.url + path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? ""));
    await page.locator("[data-live=live]").waitFor();
    await page.locator("main h1, main p").first().waitFor();
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    return page;
  };

  test.each(PAGES)("%s opens without errors, is accessible, and fits a phone", async (path) => {
    const page = await open(path);
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    expect(operator.complaints).toEqual([]);
  });

  test("a time in an alert is shown in the page's format, not in ISO 8601", async () => {
    const degradedAt = new Date().toISOString();
    const { page } = operator;
    await page.route("**/admin/alerts?**", async (route) => {
      const response = await route.fetch();
      const { items, ...rest } = await response.json();
      const [first, ...others] = items;
      const told = { ...first, message: `Down since ${degradedAt}.`, details: { degradedAt } };
      await route.fulfill({ response, json: { ...rest, items: [told, ...others] } });
    });
    await open("/alerts");
    await page.getByText(/Down since \d\d:\d\d:\d\d\./).waitFor();
    await page.unroute("**/admin/alerts?**");
  });

  const dialogs = ["p", "?", "Control+k"];
  test.each(dialogs)("the dialog of the key %s is accessible", async (key) => {
    const page = await open("/queues/nas-sync");
    await page.keyboard.press(key);
    await page.getByRole("dialog").waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test.each(QUOTING)("%s shows what callers sent as text, never as markup", async (path) => {
    const page = await open(path);
    await page.getByText("<img src=x onerror=").filter({ visible: true }).first().waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).toMatch(/^\(\d+\) (?!.*owned).+ · Andon$/);
    expect(operator.complaints).toEqual([]);
  });
});
