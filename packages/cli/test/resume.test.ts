import { AndonError } from "@andon/contract";
import { until } from "@andon/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { andon, STORES, startTestServer, type TestServer } from "./harness.ts";

/** An app with one queue, whose destination is away when `world.isAway` is true. */
function lineApp(world: { isAway: boolean }) {
  return {
    name: "lamps",
    queues: () => ({
      lamps: {
        rules: { mode: "serial", attempts: 1 },
        handler: async () => {
          if (world.isAway) throw new AndonError("INTERNAL", {});
        },
        rehearse: {
          destination: async () => (world.isAway ? "the line is dead" : null),
          check: async () => [{ name: "bulb", ok: true, detail: "the bulb is in" }],
        },
      },
    }),
  };
}

describe.each(STORES)("decisions about a stopped queue on %s", (store) => {
  const world = { isAway: true };
  let server: TestServer;
  beforeEach(async () => {
    world.isAway = true;
    server = await startTestServer(store, { apps: [lineApp(world) as never], queues: { later: {} } });
    const lamps = server.site.queues.get("lamps")?.queue;
    await lamps?.addMany([1, 2]);
    await until(async () => (await lamps?.status())?.state === "stopped");
  });
  afterEach(() => server.close());

  const run = (args: readonly string[], input?: string) =>
    andon(args, { env: server.env, ...(input === undefined ? {} : { terminal: 100, input }) });
  const state = async () => (await server.client.queues.overview({ queue: "lamps" })).state;

  test("resume shows the rehearsal on a terminal, and does nothing if the person answers no", async () => {
    const { code, stderr } = await run(["resume", "lamps"], "n\n");
    expect(code).toBe(1);
    expect(stderr).toContain("Does not answer: the line is dead");
    expect(stderr).toContain("every job that starts now will fail again");
    expect(stderr).toContain("Nothing was changed.");
    expect(await state()).toBe("stopped");
  });

  test("resume --dry-run changes nothing, has a JSON answer, and reports problems by its exit code", async () => {
    const { code, stdout } = await run(["resume", "lamps", "--dry-run", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ destination: { ok: false, problem: "the line is dead" } });
    world.isAway = false;
    const good = await run(["resume", "lamps", "--dry-run"]);
    expect(good.code).toBe(0);
    expect(good.stdout).toContain("the bulb is in");
    expect(await state()).toBe("stopped");
  });

  test("retry-all-and-resume asks, then retries and resumes", async () => {
    world.isAway = false;
    const refused = await run(["retry-all-and-resume", "lamps"], "n\n");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("1 failed job, the newest first:");
    const done = await run(["retry-all-and-resume", "lamps"], "y\n");
    expect(done.code).toBe(0);
    await until(async () => (await server.client.queues.status({ queue: "lamps" })).completed === 2);
  });

  test("retry-all-and-resume does not ask without a terminal, and prints one JSON answer", async () => {
    world.isAway = false;
    const { code, stdout } = await run(["retry-all-and-resume", "lamps", "--json", "--waves", "1,5"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ retried: { retriedCount: 1 }, resumed: { changed: true } });
    await until(async () => (await server.client.queues.status({ queue: "lamps" })).completed === 2);
  });

  test("retry --all and skip-all-and-resume show a preview and ask, except with --yes", async () => {
    for (const args of [
      ["retry", "--all", "--queue", "lamps"],
      ["skip-all-and-resume", "lamps", "--reason", "old"],
    ]) {
      const { code, stderr } = await run(args, "n\n");
      expect(code).toBe(1);
      expect(stderr).toContain("1 failed job, the newest first:");
    }
    expect((await server.client.queues.status({ queue: "lamps" })).failed).toBe(1);
    expect((await run(["retry", "--all", "--queue", "lamps", "--yes"], "")).code).toBe(0);
    expect((await server.client.queues.status({ queue: "lamps" })).failed).toBe(0);
  });

  test("status shows all queues with the console's words, and its exit code is that of the worst queue", async () => {
    const all = await run(["status", "--exit-code"]);
    expect(all.code).toBe(10);
    expect(all.stdout).toMatch(/lamps +Stopped by failure/);
    expect(all.stdout).toMatch(/later +Running/);
    const one = await run(["status", "lamps"]);
    const [failed] = (await server.client.queues.failed({ queue: "lamps" })).items;
    expect(one.stdout).toMatch(new RegExp(`Failed job +${failed?.jobId}\\n`));
    const json = JSON.parse((await run(["status", "lamps", "--json"])).stdout);
    expect(json).toMatchObject({ queue: "lamps", state: "stopped", isPaused: true, failed: 1 });
    expect((await run(["status", "later", "--exit-code"])).code).toBe(0);
    const everything = JSON.parse((await run(["status", "--json"])).stdout);
    expect(everything.queues.map(({ queue }: { queue: string }) => queue)).toContain("later");
  });

  test("invalid waves, and a payload that is not JSON, are refused before anything is done", async () => {
    expect((await run(["resume", "lamps", "--waves", "1,x"])).code).toBe(2);
    expect((await run(["add", "later", "--payload", "{"])).code).toBe(2);
    expect(await state()).toBe("stopped");
  });

  test("add adds a job, once per idempotency key", async () => {
    const args = ["add", "later", "--payload", '{"n":1}', "--key", "k", "--idempotency-key", "once"];
    const first = await run(args);
    expect(first.stdout).toMatch(/^Job \d+ is in line\.\n$/);
    expect((await run(args)).stdout).toContain("no other was made");
    const { items } = await server.client.jobs.list({ queue: "later" });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ keys: ["k"] });
  });
});
