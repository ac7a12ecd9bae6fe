import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THEME, violations } from "./accessibility.ts";
import { ConsoleServer, ONE_KIND } from "./console-server.ts";
import { browserPath, type Operator, openBrowser, signIn } from "./operator.ts";
import { tooWideForAPhone } from "./phone.ts";
import { WORDS } from "./words.ts";

describe.skipIf(!browserPath).each(ONE_KIND)("deleting, on %s in %s", (store, language) => {
  const { act, common, problem } = WORDS[language];
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;

  beforeAll(async () => {
    const worked = { handler: (async () => undefined) as never };
    server = await ConsoleServer.start(store, { queues: { worked, unworked: {} } });
    browser = await openBrowser();
    operator = await signIn(browser, server, language);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (path: string) => {
    await operator.page.goto(server.url + path);
    await operator.page.locator("[data-live=live]").waitFor();
    await operator.page.locator("main h1").waitFor();
    return operator.page;
  };
  const deletions = async (action: string) => (await server.client().audit.list({ action })).items;

  test("an ended job is deleted after its ticket was typed; a waiting job has no such button", async () => {
    const client = server.client();
    const { id } = await client.queues.add({ queue: "worked", payload: {} });
    await expect.poll(async () => (await client.jobs.show({ id })).state).toBe("done");
    const { ticket } = await client.jobs.show({ id });
    const page = await open(`/jobs/${id}`);
    await page.getByRole("button", { name: act.delete, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(act.effect.deleteJob).waitFor();
    expect(await violations(page, THEME[language])).toEqual([]);
    await dialog.getByLabel(common.reasonRequired).fill("a mistake");
    await dialog.getByLabel(act.typeTicket).fill(`${ticket}0`);
    await dialog.getByRole("button", { name: act.delete, exact: true }).click();
    const told = await dialog
      .getByLabel(act.typeTicket)
      .evaluate((input) => (input as unknown as { validationMessage: string }).validationMessage);
    expect(told).toBe(common.typeExactly(ticket));
    expect(await deletions("job.delete")).toEqual([]);
    await dialog.getByLabel(act.typeTicket).fill(ticket);
    await dialog.getByRole("button", { name: act.delete, exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/queues/worked");
    expect((await deletions("job.delete"))[0]).toMatchObject({ reason: "a mistake", target: `job:${id}` });
    await expect(client.jobs.show({ id })).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });

    const later = await client.queues.add({ queue: "worked", payload: {}, delay: 3_600_000 });
    await open(`/jobs/${later.id}`);
    await page.getByRole("button", { name: act.cancel }).waitFor();
    expect(await page.getByRole("button", { name: act.delete, exact: true }).count()).toBe(0);
  });

  test("a stopped queue without workers is deleted with its jobs after its name was typed", async () => {
    const client = server.client();
    await client.queues.add({ queue: "unworked", payload: {} });
    const page = await open("/queues/unworked");
    await page.getByRole("button", { name: act.pause }).waitFor();
    expect(await page.getByRole("button", { name: act.deleteQueue }).count()).toBe(0);
    await client.queues.pause({ queue: "unworked", reason: "no longer used" });
    await page.getByRole("button", { name: act.deleteQueue }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(act.effect.deleteQueue(1)).waitFor();
    await dialog.getByLabel(common.typeName).fill("unworked");
    await dialog.getByLabel(common.reasonRequired).fill("no longer used");
    expect(await tooWideForAPhone(page)).toEqual([]);
    await dialog.getByRole("button", { name: act.deleteQueue }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/");
    expect((await deletions("queue.delete"))[0]).toMatchObject({ target: "queue:unworked" });
    expect((await client.jobs.list({ queue: "unworked" })).total).toBe(0);
  });

  test("the deletion of a queue with a worker is refused with a hint", async () => {
    await server.client().queues.pause({ queue: "worked", reason: "looking" });
    const page = await open("/queues/worked");
    await page.getByRole("button", { name: act.deleteQueue }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(common.typeName).fill("worked");
    await dialog.getByLabel(common.reasonRequired).fill("no longer used");
    await dialog.getByRole("button", { name: act.deleteQueue }).click();
    await dialog.getByText("QUEUE_IN_USE").waitFor();
    await dialog.getByText(problem.hints.QUEUE_IN_USE ?? "-").waitFor();
    expect((await deletions("queue.delete")).map(({ target }) => target)).not.toContain("queue:worked");
    expect(operator.complaints.filter((each) => !each.includes("409"))).toEqual([]);
  });
});
