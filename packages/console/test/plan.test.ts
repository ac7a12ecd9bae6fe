import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleServer, STORES } from "./console-server.ts";
import { addUploads, demoLine } from "./demo-line.ts";
import { browserPath, openBrowser, signIn } from "./operator.ts";

describe.skipIf(!browserPath).each(STORES)("a decision over many jobs on %s", (store) => {
  let browser: Browser;
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await ConsoleServer.start(store, demoLine().settings);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test("is applied to exactly the jobs of its plan, and refused if they have changed", async () => {
    const client = server.client();
    await client.queues.pause({ queue: "reports" });
    await addUploads(client, "reports", ["/1", "/2", "/3"]);
    const { page, close } = await signIn(browser, server, "en");
    await page.goto(`${server.url}/jobs?queue=reports&state=ready`);
    await page.getByRole("checkbox", { name: "Select this page" }).check();
    await page.getByRole("button", { name: "Plan: cancel" }).click();
    await page.getByRole("button", { name: "Show what it would do" }).click();
    await page.getByText("3 jobs in the frozen set").waitFor();
    await page.getByText("first in its lane, the next job of that lane goes on without it").waitFor();

    const [first] = (await client.jobs.list({ queue: "reports", state: "ready" })).items;
    await client.jobs.cancel({ id: first?.id ?? "" });
    await page.getByRole("button", { name: "Apply to exactly 3 jobs" }).click();
    await page.getByText("PLAN_STALE").waitFor();
    expect((await client.jobs.list({ queue: "reports", state: "ready" })).total).toBe(2);

    await page.getByRole("button", { name: "Make the plan again" }).click();
    await page.getByRole("button", { name: "Apply to exactly 2 jobs" }).click();
    await page.getByText("Applied to exactly the 2 jobs of the plan.").waitFor();
    expect((await client.jobs.list({ queue: "reports", state: "ready" })).total).toBe(0);
    await close();
  });
});
