import { guard } from "@andon/bullmq";
import { type RedisServer, startRedis } from "@andon/testkit";
import { Queue, Worker } from "bullmq";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./accessibility.ts";
import { ConsoleServer, ONE_KIND } from "./console-server.ts";
import { browserPath, lampWord, type Operator, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(ONE_KIND)("a BullMQ queue, on %s in %s", (store, language) => {
  const { act, board, common, lamp, queue: say } = WORDS[language];
  let redis: RedisServer;
  let queue: Queue;
  let worker: Worker;
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    redis = await startRedis();
    const connection = { url: redis.url };
    queue = new Queue("mails", { connection });
    worker = new Worker(
      "mails",
      async (job) => {
        if (job.data.fail) throw new Error("ECONNREFUSED: the mail server");
      },
      { connection, drainDelay: 1 },
    );
    queue.on("error", () => {});
    worker.on("error", () => {});
    guard(worker, { reason: "MAIL_FAILED" });
    server = await ConsoleServer.start(store, { redisUrl: redis.url, bullmq: { queues: { mails: {} } } });
    browser = await openBrowser();
    operator = await signIn(browser, server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await worker?.close(true);
    await queue?.close();
    await redis?.stop();
  });

  const status = () => server.client().queues.status({ queue: "mails" });

  test("is on the board, and has a page with the reason of its stop and the possible decisions", async () => {
    await queue.add("send", { fail: true }, { jobId: "bad" });
    await expect.poll(async () => (await status()).isPaused).toBe(true);
    const { page } = operator;
    await page.goto(server.url);
    await page.locator("[data-row=mails]").waitFor();
    await page.getByRole("link", { name: `${board.goLook}: mails` }).click();
    await page.getByText("MAIL_FAILED").first().waitFor();
    await lampWord(page, lamp.stopped).waitFor();
    await page.getByText(say.bullmq).waitFor();
    expect(await page.getByRole("button", { name: act.deleteQueue }).count()).toBe(0);
    expect(await violations(page, "light")).toEqual([]);

    await page.locator("[data-failed]").getByRole("link", { name: "#bad" }).click();
    await page.getByText("at Worker", { exact: false }).first().waitFor();

    await page.getByRole("button", { name: act.of.skip("bad") }).click();
    const skipping = page.getByRole("dialog");
    await skipping.getByLabel(common.reasonRequired).fill("sent by hand");
    await skipping.getByRole("button", { name: act.skip, exact: true }).click();
    await expect.poll(async () => (await status()).failed).toBe(0);

    await page.getByRole("button", { name: act.resume, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: act.resume, exact: true }).click();
    await expect.poll(async () => (await status()).isPaused).toBe(false);
    await lampWord(page, lamp.running).waitFor();
  });

  test("says that its Redis is away, and the rest of the board still works", async () => {
    await redis.kill();
    const { page } = operator;
    await page.goto(server.url);
    await page.getByText(say.bullmqAway).first().waitFor();
    expect(await page.locator("[data-row]").count()).toBeGreaterThan(0);
    await redis.restart();
  });
});
