import { ROUTES, type Route } from "@andon/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CORE_COMMANDS } from "../src/commands/index.ts";
import { andon, STORES, startTestServer, type TestServer, until } from "./harness.ts";

/** Commands that do not print the JSON of one route. They have tests of their own, as the commands of apps do. */
const LOCAL = [
  "init",
  "start",
  "config check",
  "doctor",
  "watch",
  "top",
  "completion",
  "retry-all-and-resume",
  // It needs a server that holds decisions back.
  "undo",
];

describe.each(STORES)("--json on %s gives the server's answer unchanged", (store) => {
  let server: TestServer;
  const used = new Set<string>();

  beforeAll(async () => {
    server = await startTestServer(store, {
      queues: {
        line: {
          mode: "serial",
          attempts: 1,
          handler: ({ payload }: { payload: { fails?: boolean } }) => {
            if (payload.fails) throw new Error("a reason in 한국어");
          },
        },
        later: {},
        many: {},
      },
    });
    await server.client.queues.add({ queue: "line", payload: { fails: true } });
    await server.client.queues.add({ queue: "line", payload: {} });
    await server.client.queues.add({ queue: "later", payload: {}, key: "file:1", delay: "1h" });
    await until(async () => (await server.client.queues.status({ queue: "line" })).isPaused);
  });
  afterAll(() => server.close());

  /** Runs a command and checks its JSON against the schema of its route. */
  async function answer<R extends Route>(name: string, args: readonly string[], route: R) {
    used.add(name);
    const { code, stdout, stderr } = await andon([...name.split(" "), ...args, "--json"], {
      env: server.env,
    });
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: "" });
    const value = JSON.parse(stdout);
    const checked = route.answer.parse(value);
    expect(checked).toEqual(value);
    return value;
  }

  test("of every command", async () => {
    expect(await answer("status", ["line"], ROUTES.queues.overview)).toMatchObject({
      isPaused: true,
      state: "stopped",
      failed: 1,
    });
    const all = await answer("queues", ["--limit", "50"], ROUTES.queues.list);
    expect(all.items.map(({ queue }: { queue: string }) => queue)).toContain("line");
    const failed = await answer("failed", ["line"], ROUTES.queues.failed);
    const ticket = failed.items[0].jobId as string;
    expect(await answer("causes", ["line"], ROUTES.queues.fingerprints)).toMatchObject({ total: 1 });
    expect(await answer("show", [ticket], ROUTES.jobs.show)).toMatchObject({ state: "failed" });
    expect(await answer("why", [ticket], ROUTES.jobs.why)).toMatchObject({ rule: "job.failed" });
    const stops = await answer("stops", ["line"], ROUTES.stops.list);
    const certificate = await answer("certificate", [stops.items[0].id, "line"], ROUTES.stops.certificate);
    expect(certificate).toMatchObject({ holds: true });

    const firing = await answer("alerts list", ["--limit", "5", "--state", "firing"], ROUTES.alerts.list);
    const [alert] = firing.items as [{ id: string }];
    expect(
      await answer("alerts ack", [alert.id, "--reason", "on it"], ROUTES.alerts.acknowledge),
    ).toMatchObject({
      acknowledged: { reason: "on it" },
    });
    expect(await answer("alerts snooze", [alert.id, "--for", "30m"], ROUTES.alerts.snooze)).toMatchObject({
      snoozed: { by: expect.any(String) },
    });

    const again = await answer("retry", [ticket, "--reason", "is it still so?"], ROUTES.jobs.retry);
    expect(again).toMatchObject({ success: true, state: "ready" });
    await answer("resume", ["line"], ROUTES.queues.resume);
    await until(async () => (await server.client.queues.status({ queue: "line" })).isPaused);
    const skipped = await answer("skip", [again.ticket, "--reason", "by hand"], ROUTES.jobs.skip);
    expect(skipped).toMatchObject({ state: "resolved" });
    const settled = await answer(
      "skip-all-and-resume",
      ["line", "--reason", "all fine"],
      ROUTES.queues.skipAllAndResume,
    );
    expect(settled).toMatchObject({ skippedCount: 0 });
    await answer("pause", ["line", "--reason", "점검"], ROUTES.queues.pause);

    const scheduled = await answer("jobs", ["--queue", "later", "--state", "scheduled"], ROUTES.jobs.list);
    expect(scheduled).toMatchObject({ total: 1 });
    const later = scheduled.items[0].ticket as string;
    await answer("run-now", [later], ROUTES.jobs.runNow);
    await answer("lane hold", ["file:1", "--queue", "later"], ROUTES.lanes.hold);
    expect(await answer("lanes", ["later", "--held"], ROUTES.lanes.list)).toMatchObject({ total: 1 });
    await answer("lane release", ["file:1", "--queue", "later"], ROUTES.lanes.release);
    const rest = ["file:1", "--queue", "later", "--reason", "gone"];
    expect(await answer("lane cancel-rest", rest, ROUTES.lanes.cancelRest)).toMatchObject({
      cancelledCount: 1,
    });
    expect(await answer("add", ["later"], ROUTES.queues.add)).toMatchObject({ created: true });
    const plan = await answer(
      "plan",
      ["cancel", "--queue", "later", "--state", "ready"],
      ROUTES.plans.create,
    );
    expect(plan).toMatchObject({ count: 1 });
    expect(await answer("apply", [plan.id, "--yes"], ROUTES.plans.apply)).toMatchObject({ appliedCount: 1 });
    const filled = server.site.queues.get("many")?.queue;
    await filled?.addMany(Array.from({ length: 3_000 }, (_, n) => n));
    const wide = await server.client.plans.create({ queue: "many", action: "cancel", filter: {} });
    const applied = server.client.plans.apply({ id: wide.id }).catch(() => undefined);
    const running = async () => (await server.client.operations.list({ running: "true" })).items[0]?.id;
    await until(async () => (await running()) !== undefined);
    const id = (await running()) as string;
    const cancelled = await answer("operations cancel", [id, "--reason", "x"], ROUTES.operations.cancel);
    expect(cancelled).toMatchObject({ id, state: "CANCELLED", total: 3_000 });
    expect(await answer("operations list", [], ROUTES.operations.list)).toMatchObject({ total: 1 });
    expect(await answer("operations show", [id], ROUTES.operations.show)).toEqual(cancelled);
    await applied;
    const other = await server.client.queues.add({ queue: "later", payload: {} });
    expect(await answer("cancel", [other.ticket], ROUTES.jobs.cancel)).toMatchObject({ state: "cancelled" });

    const gone = await answer(
      "delete-job",
      [other.ticket, "--reason", "by mistake", "--yes"],
      ROUTES.queues.deleteJob,
    );
    expect(gone).toMatchObject({ success: true });

    const key = await answer("keys create", ["reader", "--permissions", "queue.read"], ROUTES.keys.create);
    expect(await answer("keys list", [], ROUTES.keys.list)).toMatchObject({ total: 1 });
    const permissions = await answer("keys permissions", [], ROUTES.keys.permissions);
    expect(permissions.items.map(({ name }: { name: string }) => name)).toContain("queue.read");
    expect(await answer("keys revoke", [key.id], ROUTES.keys.revoke)).toMatchObject({ id: key.id });
    const link = await answer("login-link", [], ROUTES.session.link);
    await server.client.session.login({ code: new URL(link.url).hash.slice("#code=".length) });
    const logins = await answer("sessions list", [], ROUTES.sessions.list);
    expect(logins).toMatchObject({ total: 1 });
    expect(await answer("sessions end", [logins.items[0].id], ROUTES.sessions.end)).toMatchObject({
      id: logins.items[0].id,
    });
    await answer("audit list", ["--target", "queue:line"], ROUTES.audit.list);
    expect(await answer("audit verify", [], ROUTES.audit.verify)).toMatchObject({ holds: true });
    await answer("alerts test", [], ROUTES.alerts.test);
    await answer("workers", [], ROUTES.workers.list);

    await server.site.andon.schedules.put({
      name: "nightly",
      queue: "later",
      cron: "0 3 * * *",
      timeZone: "Asia/Seoul",
    });
    expect(await answer("schedules list", [], ROUTES.schedules.list)).toMatchObject({ total: 1 });
    const off = await answer("schedules deactivate", ["nightly"], ROUTES.schedules.deactivate);
    expect(off).toMatchObject({ changed: true, schedule: { isActive: false } });
    const on = await answer("schedules activate", ["nightly"], ROUTES.schedules.activate);
    expect(on).toMatchObject({ changed: true, schedule: { isActive: true } });

    await server.client.queues.pause({ queue: "later" });
    await answer("delete-queue", ["later", "--reason", "not used", "--yes"], ROUTES.queues.deleteQueue);

    const left = CORE_COMMANDS.map(({ name }) => name).filter(
      (name) => !LOCAL.includes(name) && !used.has(name),
    );
    expect(left).toEqual([]);
  });

  test("of several jobs: a list, with the problem of each refused job", async () => {
    const { ticket } = await server.client.queues.add({ queue: "later", payload: {} });
    const args = ["cancel", ticket, "999999", "--json"];
    const { code, stdout, stderr } = await andon(args, { env: server.env });
    const [first, second] = JSON.parse(stdout);
    expect(ROUTES.jobs.cancel.answer.parse(first)).toMatchObject({ success: true });
    expect(second).toMatchObject({ error: "JOB_NOT_FOUND", status: 404 });
    expect(code).toBe(5);
    expect(stderr).toContain("[JOB_NOT_FOUND]");
  });

  test("retry --all counts, and does not resume", async () => {
    const value = await answer("retry", ["--all", "--queue", "line"], ROUTES.queues.retryAll);
    expect(value).toMatchObject({ success: true, retriedCount: 0 });
  });
});
