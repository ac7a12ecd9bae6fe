import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleServer, STORES } from "./console-server.ts";
import { addUploads, demoLine, type Nas } from "./demo-line.ts";
import { browserPath, lampWord, type Operator, openBrowser, signIn } from "./operator.ts";

const PATHS = ["/a.pdf", "/b.pdf", "/c.pdf", "/d.pdf"];

describe.skipIf(!browserPath).each(STORES)("a stopped queue on %s", (store) => {
  let browser: Browser;
  let server: ConsoleServer;
  let nas: Nas;

  beforeAll(async () => {
    const line = demoLine();
    nas = line.nas;
    server = await ConsoleServer.start(store, line.settings);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Takes the NAS away: the first of four uploads stops the queue. */
  const stopTheLine = async () => {
    nas.isUp = false;
    nas.done.length = 0;
    await addUploads(server.client(), "nas-sync", PATHS);
    const isPaused = async () => (await server.client().queues.status({ queue: "nas-sync" })).isPaused;
    await expect.poll(isPaused).toBe(true);
  };
  const allDone = () => expect.poll(() => nas.done).toEqual(PATHS);
  const asOperator = async (language: "ko" | "en", work: (operator: Operator) => Promise<void>) => {
    const operator = await signIn(browser, server, language);
    try {
      await work(operator);
      expect(operator.complaints).toEqual([]);
    } finally {
      await operator.close();
    }
  };

  test("can be resumed with the mouse, starting at the alert", () =>
    asOperator("ko", async ({ page }) => {
      await stopTheLine();
      await page.getByText("조치가 필요한 큐 1개").waitFor();
      await page
        .getByRole("navigation")
        .getByRole("link", { name: /^알림\s*[1-9]/ })
        .waitFor();
      await page.getByRole("link", { name: "열린 알림" }).click();
      const alert = page.getByRole("article").filter({ hasText: "NAS_SYNC_FAILED_QUEUE_PAUSED" }).first();
      await alert.getByText("ECONNREFUSED: NAS connection refused").filter({ visible: true }).waitFor();
      const runbook = alert.getByRole("link", { name: "대응 절차" });
      expect(await runbook.getAttribute("href")).toBe("/runbooks/line-stopped");
      await alert.getByRole("link", { name: "결정하기: nas-sync" }).click();

      await page.getByRole("heading", { name: "nas-sync" }).waitFor();
      await page.getByText("실패로 정지").first().waitFor();
      const failed = page.getByRole("table", { name: "실패한 작업" });
      await failed.getByText("ECONNREFUSED: NAS connection refused").waitFor();

      nas.isUp = true;
      await failed.getByRole("button", { name: /재시도/ }).click();
      expect(await effects(page)).toEqual([
        "작업이 원래 자리에 다시 들어갑니다. 시도 횟수는 처음부터, 티켓은 새로 받습니다.",
        "큐가 정지해 있으므로 재개할 때까지 아무것도 시작하지 않습니다.",
        "그 밖에는 아무것도 바뀌지 않습니다.",
      ]);
      await page.getByRole("dialog").getByRole("button", { name: "재시도" }).click();
      await page.getByText("실패한 작업이 없습니다").waitFor();
      expect(nas.done).toEqual([]);

      await page.getByRole("button", { name: "큐 재개" }).click();
      expect(await effects(page)).toContain("큐가 다시 진행합니다. 대기 작업 4개가 시작할 수 있습니다.");
      await page.getByLabel("사유 (선택)").fill("NAS를 다시 켰음");
      await page.getByRole("dialog").getByRole("button", { name: "큐 재개" }).click();
      await page.getByText("실행 중", { exact: true }).first().waitFor();
      await allDone();

      await page.getByRole("link", { name: "현황판" }).click();
      await page.getByText("모든 큐가 실행 중입니다.").waitFor();
      await page.getByRole("img", { name: /처리량: 완료 [1-9]\d*, 실패 1, 시도 실패 2/ }).waitFor();
    }));

  test("continues in order after one decision, and the dialog of a plain resume warns about the order", () =>
    asOperator("en", async ({ page }) => {
      await stopTheLine();
      nas.isUp = true;
      await page.goto(`${server.url}/queues/nas-sync`);
      await page.getByRole("button", { name: "Resume queue" }).click();
      expect(await effects(page)).toContain(
        "Later jobs then run before the failed one. “Retry all and resume” keeps the order.",
      );
      await page.keyboard.press("Escape");
      const primary = page.locator("section[aria-labelledby=queue-name] button.bg-accent");
      expect(await primary.allTextContents()).toEqual(["Retry all and resume"]);
      await primary.click();
      expect(await effects(page)).toEqual([
        "1 failed job is queued again at its old place.",
        "The queue goes on: 4 jobs that wait may start.",
        "Nothing else changes.",
      ]);
      await page.getByRole("dialog").getByRole("button", { name: "Retry all and resume" }).click();
      await lampWord(page, "Running").waitFor();
      await allDone();
    }));

  test("continues without its failed jobs after one decision with a reason", () =>
    asOperator("en", async ({ page }) => {
      await stopTheLine();
      nas.isUp = true;
      await page.goto(`${server.url}/queues/nas-sync`);
      await page.getByRole("button", { name: "Skip all and resume" }).click();
      expect(await effects(page)).toEqual([
        "1 failed job is skipped, all or none.",
        "The queue goes on: 3 jobs that wait may start.",
        "Nothing else changes.",
      ]);
      const confirm = page.getByRole("dialog").getByRole("button", { name: "Skip all and resume" });
      expect(await confirm.isDisabled()).toBe(true);
      await page.getByLabel("Reason (required)").fill("copied by hand");
      await confirm.click();
      await page.getByText("1 failed job was skipped and the queue goes on.").waitFor();
      await expect.poll(() => nas.done).toEqual(PATHS.slice(1));
    }));

  // The following tests do not depend on the store.
  if (store !== "sqlite") return;

  test("can be resumed with only the keyboard", () =>
    asOperator("en", async ({ page }) => {
      await stopTheLine();
      await page.getByText("1 queue needs a person").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("nas");
      await page.getByRole("option", { name: /^nas-sync/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Stopped by failure").first().waitFor();

      nas.isUp = true;
      await page.getByRole("table", { name: "Failed jobs" }).waitFor();
      await page.keyboard.press("s");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("r");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("the NAS is back");
      await tabTo(page, "Retry");
      await page.keyboard.press("Enter");
      await page.getByText("No failed jobs").waitFor();

      await page.keyboard.press("p");
      await page.getByRole("dialog").waitFor();
      await tabTo(page, "Resume queue");
      await page.keyboard.press("Enter");
      await lampWord(page, "Running").waitFor();
      await allDone();
      const { items } = await server.client().audit.list({ action: "job.retry" });
      expect(items[0]?.reason).toBe("the NAS is back");
    }));

  test("is the same for two operators: the second resume says that the queue already runs", () =>
    asOperator("ko", async ({ page: first }) =>
      asOperator("en", async ({ page: second }) => {
        await stopTheLine();
        nas.isUp = true;
        for (const page of [first, second]) await page.goto(`${server.url}/queues/nas-sync`);
        await second.getByRole("button", { name: "Resume queue" }).click();
        await first.getByRole("button", { name: "큐 재개" }).click();
        await first.getByRole("dialog").getByRole("button", { name: "큐 재개" }).click();
        await first.getByText("실행 중", { exact: true }).first().waitFor();

        await lampWord(second, "Running").waitFor();
        await second.getByRole("dialog").getByRole("button", { name: "Resume queue" }).click();
        await second.getByText("The queue is running already. Nothing changed.").waitFor();
      }),
    ));

  test("is shown correctly after a server outage under an open page", async () => {
    const operator = await signIn(browser, server, "ko");
    const { page } = operator;
    await page.goto(`${server.url}/queues/reports`);
    await page.locator("[data-live=live]").waitFor();
    // Wait for the last lazy part of the page: a part that is missing at the outage would cause a reload.
    await page.getByRole("slider", { name: "히스토리" }).waitFor();
    await server.down();
    await page.getByText("다시 연결 중").first().waitFor();
    await server.up();
    await server.client().queues.pause({ queue: "reports", reason: "점검" });
    await page.locator("[data-live=live]").waitFor();
    await page.getByText("수동 일시정지").first().waitFor();
    await page.getByText("점검").first().waitFor();
    expect(await page.getByText("다시 연결 중").count()).toBe(0);
    await server.client().queues.resume({ queue: "reports" });
    await operator.close();
  });
});

async function effects(page: Page): Promise<string[]> {
  return page.locator("dialog[open] [data-effects] li").allTextContents();
}

/** Presses Tab until a control of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 20; press++) {
    const focused = await page.evaluate("document.activeElement?.textContent");
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the focus does not reach "${name}"`);
}
