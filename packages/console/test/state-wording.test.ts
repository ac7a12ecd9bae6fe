import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ConsoleServer, OTHER_KIND } from "./console-server.ts";
import { browserPath, lampWord, type Operator, openBrowser, signIn } from "./operator.ts";
import { WORDS } from "./words.ts";

/** A typical error of a NAS, with a path that has no place for a line break. */
const ERROR = `ENOENT: no such file or directory, open '/volume1/share/${"contract_2026_final_".repeat(12)}.pdf'`;
const PHONE = { width: 360, height: 740 };

describe.skipIf(!browserPath).each(OTHER_KIND)("on %s in %s", (store, language) => {
  const words = WORDS[language];
  const { action, board, queue: queueWords, jobs, job: jobWords, act, common, shell, lamp, problem } = words;
  let browser: Browser;
  let server: ConsoleServer;
  let operator: Operator;
  let finish = () => {};

  beforeAll(async () => {
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const fail = () => {
      throw new Error(ERROR);
    };
    server = await ConsoleServer.start(store, {
      queues: {
        orphan: {},
        stopped: { mode: "serial", attempts: 1, handler: fail },
        sick: { backoff: { delay: "1h" }, classify: () => "destination", handler: fail },
        slow: {
          timeout: "10m",
          handler: (_, { progress }) => {
            progress({ done: 300, total: 2_000 });
            return held;
          },
        },
        idle: { handler: () => undefined },
      },
    });
    browser = await openBrowser();
    operator = await signIn(browser, server, language);
  }, 300_000);
  afterAll(async () => {
    finish();
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
  /** The browser's own messages about refused calls do not count as complaints. */
  const refusals = () => {
    const { complaints } = operator;
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
    complaints.length = 0;
  };
  const reaches = (queue: string, state: string) =>
    expect.poll(async () => (await server.client().queues.overview({ queue })).state).toBe(state);

  test("an empty store has another message than a filter without matches", async () => {
    const page = await open("/jobs");
    await page.getByText(jobs.noneYet).waitFor();
    await page.goto(`${server.url}/jobs?text=nowhere`);
    await page.getByText(jobs.none).waitFor();
  });

  test("an invalid filter is reported, and can be cleared", async () => {
    const page = await open("/jobs?queue=idle&state=bogus&from=never");
    const unknown = page.locator("[data-unknown-filters]");
    await unknown.getByText(jobs.unknown(jobs.state, "bogus")).waitFor();
    await unknown.getByText(jobs.unknown(jobs.from, "never")).waitFor();
    await unknown.getByRole("button", { name: jobs.unknownClear }).click();
    await unknown.waitFor({ state: "detached" });
    expect(page.url()).toBe(`${server.url}/jobs?queue=idle`);
  });

  test("the page of an unknown job has a heading, and a link to the list of jobs", async () => {
    const page = await open("/jobs/999999");
    await page.getByRole("heading", { level: 1, name: jobWords.none("999999") }).waitFor();
    await page.getByRole("link", { name: jobWords.toJobs }).click();
    await page.getByRole("heading", { level: 1, name: jobs.title }).waitFor();
    refusals();
  });

  test("an answer of something other than the server is reported in the reader's language", async () => {
    await operator.page.route("**/admin/jobs?**", (route) => route.fulfill({ status: 500, body: "<h1>oh" }));
    const page = await open("/jobs");
    await page.getByText(problem.foreign(500)).waitFor();
    await page.getByText(problem.foreignHint).waitFor();
    refusals();
  });

  test("the page for an unknown address has no tick", async () => {
    const page = await open("/no-such-page");
    await page.getByText(shell.notFound).waitFor();
    expect(await page.locator("main .lucide-circle-check").count()).toBe(0);
    expect(await page.locator("main .lucide-search-x").count()).toBe(1);
  });

  test("a queue with waiting jobs and no worker needs a person", async () => {
    const page = await open("/");
    await page.getByText(board.allWell).waitFor();
    await server.client().queues.add({ queue: "orphan", payload: {} });
    await page.reload();
    await page.getByText(board.noWorkerFor(1)).waitFor();
    await page.getByText(board.needsYou(1)).waitFor();
    const row = page.locator("tr[data-row=orphan]");
    await row.getByText(board.noWorker, { exact: true }).filter({ visible: true }).waitFor();
    expect(await row.locator(".lamp").getAttribute("data-lamp")).toBe("troubled");
    await page.goto(`${server.url}/queues/orphan`);
    await page.getByText(board.noWorkerFor(1)).waitFor();
    expect(await lampOfHead(page)).toBe("troubled");
    const { id } = await server.client().queues.add({ queue: "idle", payload: {}, delay: "1h" });
    await page.goto(server.url);
    const idle = page.locator("tr[data-row=idle]");
    await idle.getByText(board.drainDelayed).filter({ visible: true }).waitFor();
    expect(await idle.getByText(board.noWorker, { exact: true }).count()).toBe(0);
    await server.client().jobs.cancel({ id });
    await idle.getByText(board.drainDelayed).filter({ visible: true }).waitFor({ state: "detached" });
  });

  test("a held lane is shown in the head of a running queue, with an amber lamp", async () => {
    await server.client().lanes.hold({ queue: "idle", key: "a.pdf", reason: "looking" });
    const page = await open("/queues/idle");
    await page.getByText(board.needsDecision).waitFor();
    await page.getByText(board.heldLanes(1)).waitFor();
    await lampWord(page, lamp.running).waitFor();
    expect(await lampOfHead(page)).toBe("troubled");
    await server.client().lanes.release({ queue: "idle", key: "a.pdf" });
    await page.locator("[data-lamp=running]").waitFor();
  });

  test("a degraded queue is not shown as stopped, and the key is shown on the button that it presses", async () => {
    await server.client().queues.add({ queue: "sick", payload: {} });
    await reaches("sick", "degraded");
    const page = await open("/queues/sick");
    await page.getByText(lamp.degraded).first().waitFor();
    await page.getByText(queueWords.degradedSince).waitFor();
    expect(await page.getByText(queueWords.stoppedAt).count()).toBe(0);
    expect(await page.locator("[aria-keyshortcuts=p]").allTextContents()).toEqual([`${act.resume}p`]);
    await page.keyboard.press("p");
    await page.getByRole("dialog").getByRole("button", { name: act.resume }).waitFor();
    await page.getByRole("dialog").getByText(act.effect.degradedUntested).waitFor();
  });

  test("a degraded queue shows when its probe runs next, and can run it at once", async () => {
    const page = await open("/queues/sick");
    await page.getByText(queueWords.tryNumber(2, 6)).waitFor();
    const next = page.getByRole("definition").filter({ hasText: queueWords.tryNumber(2, 6) });
    expect(await next.textContent()).toMatch(/\d\d:\d\d.*\(.*(in \d|뒤)/);
    await page.getByRole("button", { name: act.tryProbe }).click();
    await page.getByRole("dialog").getByText(act.effect.probeStays).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: act.tryProbe }).click();
    await page.getByText(queueWords.tryNumber(3, 6)).waitFor();
  });

  test("an error without spaces is completely readable on a phone", async () => {
    await server.client().queues.add({ queue: "stopped", payload: {}, key: "/team/report.pdf" });
    await reaches("stopped", "stopped");
    const page = await open("/queues/stopped");
    const failed = page.getByRole("table", { name: queueWords.failed });
    await failed.getByText("/team/report.pdf", { exact: true }).filter({ visible: true }).waitFor();
    await page.setViewportSize(PHONE);
    await failed.getByText("/team/report.pdf").filter({ visible: true }).waitFor();
    const error = page.locator("section[aria-labelledby=queue-name]").getByText(ERROR);
    await error.waitFor();
    const { x, width } = (await error.boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(PHONE.width);
    const cutOff = `[...document.querySelectorAll("dd .wrap-anywhere")].map((each) => each.scrollHeight - each.clientHeight)`;
    expect(await page.evaluate(cutOff)).toEqual([0]);
  });

  test("a failed job in the list shows its error and its time on a phone, also with a long key", async () => {
    const key = `tenant/${"long-".repeat(60)}`;
    await server.client().queues.add({ queue: "stopped", payload: {}, key });
    const page = await open("/jobs?queue=stopped");
    const shownKey = page.locator(`td [title^="tenant/"]`);
    await shownKey.waitFor();
    expect((await shownKey.boundingBox())?.width).toBeLessThan(300);
    await page.setViewportSize(PHONE);
    const row = page.getByRole("row").filter({ hasText: ERROR.slice(0, 20) });
    await row.getByText(ERROR).filter({ visible: true }).waitFor();
    expect(await row.locator("time").filter({ visible: true }).count()).toBe(1);
  });

  test("a dialog returns the focus when it closes", async () => {
    const page = await open("/queues/stopped");
    const resume = page.getByRole("button", { name: act.resume, exact: true });
    await resume.focus();
    for (const close of ["Escape", "Enter"]) {
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      if (close === "Enter") await page.getByRole("dialog").getByLabel(common.close).focus();
      await page.keyboard.press(close);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe(`${act.resume}p`);
    }
  });

  test("the dialog of a sent decision stays open until the answer, sends once, and shows a refusal", async () => {
    const page = await open("/queues/idle");
    let sent = 0;
    let answer = () => {};
    await page.route("**/queues/idle/pause", async (route) => {
      sent++;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ status: 500, body: "<h1>oh" });
    });
    await page.getByRole("button", { name: act.pause }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(common.reasonOptional).fill("the NAS is moved");
    await dialog.getByRole("button", { name: act.pause }).click();
    await dialog.getByRole("button", { name: common.pending }).waitFor();
    // A browser closes a dialog at the second Esc even if the page prevents it.
    for (let press = 1; press <= 3; press++) {
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.isVisible()).toBe(true);
    }
    const closers = dialog.getByRole("button", { name: common.close });
    expect(await closers.count()).toBe(2);
    for (const closer of await closers.all()) expect(await closer.isDisabled()).toBe(true);
    answer();
    await dialog.getByText(problem.foreign(500)).waitFor();
    expect(await dialog.getByLabel(common.reasonOptional).inputValue()).toBe("the NAS is moved");
    expect(sent).toBe(1);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    refusals();
  });

  test("the audit does not call a stop by failure a pause", async () => {
    const page = await open("/audit?target=queue:stopped&action=queue.stop");
    await page
      .getByRole("row")
      .filter({ hasText: "system" })
      .getByText(action["queue.stop"] ?? "")
      .waitFor();
    expect(await page.getByText(action["queue.pause"] ?? "").count()).toBe(0);
  });

  test("a copied command names this server and leaves the reason to the person who runs it", async () => {
    const { failedJobId } = await server.client().queues.overview({ queue: "stopped" });
    const { ticket } = await server.client().jobs.show({ id: failedJobId ?? "" });
    await operator.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open(`/jobs/${failedJobId}`);
    const row = page.getByRole("listitem").filter({ hasText: act.skip });
    const clipboard = () => page.evaluate("navigator.clipboard.readText()");
    await row.getByRole("button", { name: jobWords.cli }).click();
    await expect.poll(clipboard).toBe(`andon skip ${ticket} --reason '' --url '${server.url}'`);
    await row.getByRole("button", { name: jobWords.curl }).click();
    await expect.poll(clipboard).toContain(`-d '{"reason":""}'`);
    const refused = server.client().jobs.skip({ id: failedJobId ?? "", reason: "" });
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });

  test("a decided job is not shown as failed any more, also if it stopped the queue", async () => {
    const page = await open("/queues/stopped");
    const head = page.locator("section[aria-labelledby=queue-name]");
    await head.getByText(queueWords.cause, { exact: true }).waitFor();
    await server.client().queues.retryAll({ queue: "stopped" });
    await head.getByText(queueWords.causeWas, { exact: true }).waitFor();
    await head.getByText(`(${queueWords.queuedAgain})`).waitFor();
    expect(await head.getByText(queueWords.cause, { exact: true }).count()).toBe(0);
    await open("/");
    const stands = page.getByRole("listitem").filter({ hasText: board.stoppedBecause });
    await stands.getByText(`(${queueWords.queuedAgain})`).waitFor();
  });

  test("the effects of a cancel name the jobs that continue, and do not mention a run that did not happen", async () => {
    const add = () => server.client().queues.add({ queue: "slow", payload: {}, key: "lane" });
    const [head, next] = [await add(), await add()];
    const effects = operator.page.locator("[data-effects]");
    const cancel = async (id: string) => {
      const page = await open(`/jobs/${id}`);
      await page.getByRole("button", { name: act.cancel }).click();
      await effects.waitFor();
      return page;
    };
    await expect.poll(async () => (await server.client().jobs.show({ id: head.id })).state).toBe("running");
    await cancel(head.id);
    await effects.getByText(act.effect.cancelHead).waitFor();
    const page = await cancel(next.id);
    expect(await effects.textContent()).toBe(act.effect.cancelWaiting + common.nothingElse);

    // The explanation has the other job's ticket, and a word for its state.
    const { ticket } = await server.client().jobs.show({ id: head.id });
    const why = page.locator("section").filter({ hasText: jobWords.why.waiting });
    await why.getByRole("link", { name: `#${ticket}`, includeHidden: true }).waitFor();
    expect(await why.textContent()).toContain(words.state.running.toLowerCase());
    expect(await why.textContent()).not.toContain(head.id);

    // Another person was faster: the refusal is shown with the console's words.
    await server.client().jobs.cancel({ id: next.id });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: act.cancel }).click();
    const alert = dialog.getByRole("alert");
    const { state } = words;
    const allowed = [state.scheduled, state.blocked, state.ready, state.running, state.parked].join(", ");
    const facts = {
      job: `#${next.ticket}`,
      state: state.cancelled,
      verb: problem.verb.cancel ?? "",
      allowed,
    };
    await alert.getByText(problem.jobState(facts)).waitFor();
    await alert.getByRole("link", { name: `#${next.ticket}` }).waitFor();
    refusals();
  });

  test("a running job shows its time in the page's format, and the number of its attempt", async () => {
    const { id } = await server.client().queues.add({ queue: "slow", payload: {} });
    await expect.poll(async () => (await server.client().jobs.show({ id })).state).toBe("running");
    const page = await open(`/jobs/${id}`);
    await page.getByText(jobWords.attemptRuns(1)).waitFor();
    await page.getByText(`${jobWords.progressOf("300", "2,000")} (15 %)`).waitFor();
    expect(await page.getByRole("progressbar").getAttribute("max")).toBe("2000");
    const happened = page.getByRole("region", { name: jobWords.timeline });
    expect(await happened.getByRole("listitem").count()).toBe(1);
    const stands = page.getByRole("region", { name: jobWords.why.ended });
    expect(await stands.textContent()).toMatch(/\d\d:\d\d:\d\d/);
    expect(await stands.textContent()).not.toMatch(/\dT\d|\dZ/);
  });
});

function lampOfHead(page: Page): Promise<string | null> {
  return page.locator("section[aria-labelledby=queue-name] .lamp").getAttribute("data-lamp");
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement?.textContent");
}
