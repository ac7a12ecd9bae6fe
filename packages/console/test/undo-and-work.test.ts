import { until } from "@andon/testkit";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, ONE_KIND } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

const FAILED = 4;

/** An app whose own retry waits until the test opens the gate, and then does nothing. */
function pier() {
  const gate = { isOpen: true };
  const app = {
    name: "pier",
    queues: () => ({
      pier: {
        rules: { attempts: 1, onFinalFailure: "hold-lane" },
        handler: async () => {
          throw new Error("the crane is broken");
        },
        describe: (job: { payload: unknown }) => ({
          aggregateType: "CRATE",
          aggregateId: "1",
          eventType: "LIFT",
          name: `crate ${job.payload}`,
          data: job.payload,
        }),
        decide: {
          retry: async () => {
            await until(async () => gate.isOpen, 60_000);
            return {};
          },
        },
      },
    }),
  };
  return { gate, app };
}

describe.skipIf(!browserPath).each(ONE_KIND)("after a decision, on %s in %s", (store, language) => {
  const { act, common, jobs: say, plan, undo, work } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  const { gate, app } = pier();

  beforeAll(async () => {
    server = await ConsoleServer.start(
      store,
      { apps: [app as never], decisions: { undoWindow: "1h" } },
      { answerWithinMs: 0 },
    );
    await server.addJobs(
      "pier",
      Array.from({ length: FAILED }, (_, n) => n + 1),
    );
    await until(async () => (await server.client().queues.overview({ queue: "pier" })).failed === FAILED);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    gate.isOpen = true;
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    operator = await signIn(browser, server, language);
  });
  afterEach(async () => {
    expect(operator.complaints).toEqual([]);
    await operator.close();
  });

  const failedJob = async () => {
    const { items } = await server.client().jobs.list({ queue: "pier", state: "failed" });
    return items.find(({ pendingDecision }) => !pendingDecision) ?? items[0];
  };
  const skipOnItsPage = async (id: string) => {
    const { page } = operator;
    await page.goto(`${server.url}/jobs/${id}`);
    await page.getByRole("button", { name: act.skip }).click();
    await page.getByRole("dialog").getByLabel(common.reasonRequired).fill("by hand");
    await page.getByRole("dialog").getByRole("button", { name: act.skip }).click();
    await page.locator("section[data-pending-decision]").waitFor();
    return page;
  };
  const isPending = async (id: string) =>
    (await server.client().jobs.show({ id })).pendingDecision !== undefined;

  test("a held-back skip can be undone from its message, by key, from its page and from a list", async () => {
    const job = await failedJob();
    const { id = "", ticket = "" } = job ?? {};
    const page = await skipOnItsPage(id);
    await page.getByRole("heading", { level: 1, name: "crate" }).waitFor();
    const pending = page.locator("section[data-pending-decision]");
    expect(await pending.textContent()).toContain("by hand");
    expect(await page.getByRole("button", { name: act.retry }).count()).toBe(0);
    expect(await violations(page, THEME[language])).toEqual([]);
    const message = page.locator("[data-notice]").locator("..");
    await message.getByRole("button", { name: undo.undo }).click();
    await pending.waitFor({ state: "detached" });
    expect(await isPending(id)).toBe(false);

    await skipOnItsPage(id);
    await page.keyboard.press("u");
    await pending.waitFor({ state: "detached" });
    await skipOnItsPage(id);
    await pending.getByRole("button", { name: undo.of.skip(ticket) }).click();
    await page.getByText(undo.undone).waitFor();
    await pending.waitFor({ state: "detached" });

    await skipOnItsPage(id);
    await page.goto(`${server.url}/jobs?queue=pier&state=failed`);
    const row = page.getByRole("row").filter({ hasText: `#${ticket}` });
    await row.getByRole("button", { name: undo.of.skip(ticket) }).click();
    await row.locator("[data-pending-decision]").waitFor({ state: "detached" });
    expect(await isPending(id)).toBe(false);
    expect((await server.client().jobs.show({ id })).state).toBe("failed");
  });

  test("a decision over many jobs is shown on every page, reports its end, and can be cancelled", async () => {
    const { page } = operator;
    gate.isOpen = false;
    await page.goto(`${server.url}/jobs?queue=pier&state=failed`);
    await page.getByRole("checkbox", { name: say.selectPage }).check();
    await page.getByRole("button", { name: plan.title(plan.of.retry) }).click();
    await page.getByRole("dialog").getByLabel(common.reasonOptional).fill("all by hand");
    await page.getByRole("button", { name: plan.make }).click();
    await page.getByRole("button", { name: plan.apply(FAILED) }).click();
    await page.getByRole("dialog").getByText(act.operation.of.retry).waitFor();
    await page.keyboard.press("Escape");

    await page.goto(server.url);
    const mark = page.locator("[data-running-work]");
    await mark.waitFor();
    await mark.click();
    const dialog = page.getByRole("dialog", { name: work.title });
    await dialog.getByText(act.operation.of.retry).waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    await dialog.getByRole("button", { name: work.cancelOf(act.operation.of.retry) }).click();
    gate.isOpen = true;
    await dialog.getByText(work.past).waitFor();
    await dialog.getByText("all by hand").waitFor();
    await mark.waitFor({ state: "detached" });
    await dialog.getByRole("link", { name: "pier" }).click();
    await page.getByRole("heading", { level: 1, name: "pier" }).waitFor();
    expect((await server.client().queues.status({ queue: "pier" })).failed).toBe(FAILED);
  });
});
