import { until } from "@andon/testkit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ConsoleServer } from "./console-server.ts";
import { addUploads, demoLine } from "./demo-line.ts";
import { browserPath, lampWord, type Operator, openBrowser, signIn } from "./operator.ts";

describe.skipIf(!browserPath)("the other rooms", () => {
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  const line = demoLine();

  beforeAll(async () => {
    server = await ConsoleServer.start("sqlite", line.settings);
    await server.addSchedule("nightly", "reports");
    browser = await openBrowser();
    operator = await signIn(browser, server, "en");
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => operator.startOver());

  const open = async (path: string) => {
    await operator.page.goto(server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    return operator.page;
  };

  test("a schedule is switched off with a reason, and then has no next runs", async () => {
    const page = await open("/schedules");
    const row = page.getByRole("row").filter({ hasText: "nightly" });
    await expect.poll(() => row.locator("time").filter({ visible: true }).count()).toBe(5);
    const shown = await row.locator("time").filter({ visible: true }).allTextContents();
    expect(shown.at(-1)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    await row.getByText("At 03:00, every day").filter({ visible: true }).waitFor();
    await page.getByText(/^Times are in .+ \(GMT/).waitFor();
    const desk = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 800 });
    await row.getByText("0 3 * * *").filter({ visible: true }).waitFor();
    await row.getByText("Asia/Seoul").filter({ visible: true }).waitFor();
    await page.setViewportSize(desk);
    await row.getByRole("button", { name: "Switch off nightly" }).click();
    await page.getByLabel("Reason (optional)").fill("maintenance");
    await page.keyboard.press("Control+Enter");
    await row.getByText("Switched off").waitFor();
    expect(await row.locator("time").count()).toBe(0);
    const { items } = await server.client().audit.list({ action: "schedule.deactivate" });
    expect(items[0]?.reason).toBe("maintenance");
    await row.getByRole("button", { name: "Run now: nightly" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.getByText("nightly: a job was added.").waitFor();
    const ran = await server.client().audit.list({ action: "schedule.run-now" });
    expect(ran.items).toMatchObject([{ actor: "admin", target: "schedule:nightly" }]);
  });

  test("the audit log is verified with a button, and filtered by its address", async () => {
    await server.client().queues.pause({ queue: "mail", reason: "look at this" });
    const page = await open("/audit?action=queue.pause");
    await page.getByText("look at this").filter({ visible: true }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Verify the chain" }).click();
    await page.getByText("The chain holds").waitFor();
  });

  test("a test alert is shown with its delivery", async () => {
    const page = await open("/alerts");
    await page.getByText("No open alerts").waitFor();
    await page.getByRole("button", { name: "Send a test alert" }).click();
    await page.getByRole("article").getByText("log: delivered").waitFor();
  });

  test("a lane is held by its key and released again", async () => {
    const page = await open("/queues/thumbnails");
    await page.getByRole("button", { name: "Hold a lane…" }).click();
    await page.getByLabel("Lane key").fill("/media/x.png");
    await page.getByRole("dialog").getByRole("button", { name: "Hold lane" }).click();
    await page.getByRole("button", { name: "Release lane /media/x.png" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Release lane" }).click();
    await page.getByText("No lane is held").waitFor();
  });

  test("the keys j and k move between rows, x selects and Enter opens", async () => {
    await server.client().queues.pause({ queue: "reports" });
    await addUploads(server.client(), "reports", ["/first", "/second"]);
    const page = await open("/jobs?queue=reports&state=ready");
    await page.getByRole("table").waitFor();
    for (const key of ["j", "j", "k", "j", "x"]) await page.keyboard.press(key);
    await page.getByText("1 selected").waitFor();
    expect(await page.getByRole("row").filter({ hasText: "/second" }).getByRole("checkbox").isChecked()).toBe(
      true,
    );
    await page.keyboard.press("Enter");
    await page.getByText('"nasPath": "/second"').waitFor();
  });

  test("a ticket in the search opens the job, at an address that stays valid after a retry", async () => {
    const { id, ticket } = await server.client().queues.add({ queue: "reports", payload: { nasPath: "/t" } });
    const page = await open("/");
    await page.keyboard.press("/");
    await page.keyboard.type(`#${ticket}`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Job #${ticket}` }).waitFor();
    await page.waitForURL(`${server.url}/jobs/${id}`);
  });

  test("a decision can be copied as a command, also on a plain http address", async () => {
    const { id, ticket } = await server.client().queues.add({ queue: "reports", payload: { nasPath: "/c" } });
    await operator.page.context().grantPermissions(["clipboard-write"]);
    for (const hasClipboard of [true, false]) {
      const page = await open(`/jobs/${id}`);
      if (!hasClipboard)
        await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      const copy = hasClipboard ? "Copy as CLI" : "Copy as curl";
      await page.getByRole("button", { name: copy }).first().click();
      await page.getByText("Copied").waitFor();
      await page.keyboard.press("Control+k");
      const box = page.getByRole("dialog").getByRole("combobox");
      await box.press("Control+v");
      const command = hasClipboard ? `andon cancel ${ticket}` : `/admin/jobs/${id}/cancel'`;
      expect(await box.inputValue()).toContain(command);
    }
  });

  test("a paused page does not change until it is resumed", async () => {
    await server.client().queues.resume({ queue: "mail" });
    const page = await open("/queues/mail");
    await lampWord(page, "Running").waitFor();
    await page.getByRole("button", { name: "Pause updates" }).click();
    await page.locator("[data-live=paused]").waitFor();
    await server.client().queues.pause({ queue: "mail", reason: "behind your back" });
    await page.getByRole("button", { name: "Resume updates" }).click();
    await page.getByText("behind your back").first().waitFor();
  });

  test("language and theme are stored", async () => {
    const page = await open("/settings");
    await page.getByRole("combobox", { name: "Language" }).first().selectOption("ko");
    await page.getByRole("combobox", { name: "테마" }).first().selectOption("dark");
    await page.reload();
    await page.getByRole("heading", { name: "설정" }).waitFor();
    expect(
      await page.evaluate("document.documentElement.lang + document.documentElement.dataset.theme"),
    ).toBe("kodark");
  });

  test("an alert is acknowledged by key and snoozed in its row, and links to the decision", async () => {
    const client = server.client();
    line.nas.bad.set("/alerting", "EINVAL: no picture");
    await addUploads(client, "thumbnails", ["/alerting"]);
    await until(async () => (await client.alerts.list({ state: "firing" })).total > 0);
    const page = await open("/alerts");
    const decide = page.getByRole("link", { name: "Decide: thumbnails" });
    await decide.focus();
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Acknowledged · 1" }).waitFor();
    await page.getByRole("article").getByText("Snooze", { exact: true }).click();
    await page.getByRole("button", { name: "4 hours" }).click();
    await page.getByRole("heading", { name: "Snoozed · 1" }).waitFor();
    const { items } = await client.alerts.list({ state: "firing" });
    const ends = Date.parse(items[0]?.snoozed?.until ?? "") - Date.parse(items[0]?.snoozed?.at ?? "");
    expect(ends).toBe(4 * 3_600_000);
    await decide.click();
    await page.getByRole("heading", { name: "thumbnails" }).waitFor();
    await page.getByText("Decisions", { exact: true }).click();
    await page.getByText("Nobody has decided anything").waitFor();
  });

  test("a person who signs in is asked for a name, which the audit log shows with the principal", async () => {
    const context = await browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await page.goto(await server.link());
    await page.getByRole("textbox", { name: "Your name" }).fill("Minji");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByText("The audit log now shows you as admin (Minji).").waitFor();
    await server.client().queues.resume({ queue: "reports" });
    await page.goto(`${server.url}/queues/reports`);
    await page.getByRole("button", { name: "Pause queue" }).click();
    await page.getByLabel(/^Reason/).fill("named");
    await page.getByRole("dialog").getByRole("button", { name: "Pause queue" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(`${server.url}/audit?actor=admin%20(Minji)&from=2020-01-01`);
    await page.getByRole("row").filter({ hasText: "named" }).getByText("admin (Minji)").waitFor();
    await page.goto(`${server.url}/audit?actor=admin%20(Minji)&to=2020-01-01`);
    await page.getByText("No decisions yet").waitFor();
    await server.client().queues.resume({ queue: "reports" });
    await context.close();
  });
});
