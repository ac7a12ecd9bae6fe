import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, OTHER_KIND } from "./console-server.ts";
import { addUploads, demoLine, type Nas, STOPPING } from "./demo-line.ts";
import { browserPath, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

const RUNBOOK = "https://runbooks.example/nas";

describe.skipIf(!browserPath).each(OTHER_KIND)("a cause of failures on %s in %s", (store, language) => {
  const { act, cause, plan, queue: say } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let nas: Nas;

  beforeAll(async () => {
    const line = demoLine();
    nas = line.nas;
    server = await ConsoleServer.start(store, { ...line.settings, runbooks: { ECONNREFUSED: RUNBOOK } });
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const stopped = async () => {
    const overview = () => server.client().queues.overview({ queue: STOPPING });
    await expect.poll(async () => (await overview()).isPaused).toBe(true);
  };

  test("shows its runbook and earlier remedies, and its jobs can be retried from its row", async () => {
    const client = server.client();
    nas.isUp = false;
    await addUploads(client, STOPPING, ["/a"]);
    await stopped();
    nas.isUp = true;
    await client.queues.retryAll({ queue: STOPPING, reason: "the NAS is back" });
    await client.queues.resume({ queue: STOPPING });
    await expect.poll(() => nas.done).toEqual(["/a"]);
    nas.isUp = false;
    await addUploads(client, STOPPING, ["/b"]);
    await stopped();

    const { page, complaints, close } = await signIn(browser, server, language);
    await page.goto(`${server.url}/queues/${STOPPING}`);
    const row = page.getByRole("table", { name: say.groups }).getByRole("row").nth(1);
    await row.getByText(cause.retried(1, 1)).filter({ visible: true }).waitFor();
    await row.getByText("the NAS is back").filter({ visible: true }).waitFor();
    expect(await row.getByRole("link", { name: WORDS[language].alerts.runbook }).getAttribute("href")).toBe(
      RUNBOOK,
    );
    expect(await violations(page, THEME[language])).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);

    await row.getByRole("button", { name: cause.of.retry(1, "ECONNREFUSED") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: plan.make }).click();
    await dialog.getByRole("button", { name: plan.apply(1) }).click();
    await dialog.locator(".bg-run-wash").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByText(say.failedNone).waitFor();
    await page.getByRole("button", { name: act.resume }).waitFor();
    expect(await page.evaluate("document.activeElement?.tagName")).not.toBe("BODY");
    expect(complaints).toEqual([]);
    await close();
  });
});
