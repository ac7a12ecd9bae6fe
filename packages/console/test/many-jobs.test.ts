import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleServer } from "./console-server.ts";
import { addUploads, demoLine } from "./demo-line.ts";
import { browserPath, openBrowser, signIn } from "./operator.ts";

const MANY = 120;

describe.skipIf(!browserPath)("a decision over more jobs than one step holds", () => {
  let browser: Browser;
  let server: ConsoleServer;

  beforeAll(async () => {
    // With 0 ms, every decision over many jobs is answered with 202.
    server = await ConsoleServer.start("sqlite", demoLine().settings, { answerWithinMs: 0 });
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test("is followed to its end, and shows how many jobs were done", async () => {
    const client = server.client();
    await client.queues.pause({ queue: "reports" });
    await addUploads(
      client,
      "reports",
      Array.from({ length: MANY }, (_, n) => `/${n}`),
    );
    const { page, close } = await signIn(browser, server, "en");
    await page.goto(`${server.url}/jobs?queue=reports&state=ready`);
    await page.getByRole("checkbox", { name: "Select this page" }).check();
    await page.getByRole("button", { name: /^Select all/ }).click();
    await page.getByRole("button", { name: "Plan: cancel" }).click();
    await page.getByRole("button", { name: "Show what it would do" }).click();
    await page.getByRole("button", { name: `Apply to exactly ${MANY} jobs` }).click();
    await page.getByText(`${MANY} jobs done.`).waitFor();
    expect((await client.jobs.list({ queue: "reports", state: "ready" })).total).toBe(0);
    await close();
  });
});
