import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { andon, startTestServer, type TestServer } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer("sqlite", { queues: { later: {} } });
});
afterAll(() => server.close());

describe("a plan", () => {
  let plan: string;
  let made = 0;
  beforeEach(async () => {
    await server.client.queues.add({ queue: "later", payload: {}, key: `한글 키 ${++made}` });
    const planned = await andon(
      ["plan", "cancel", "--queue", "later", "--state", "ready", "--reason", "sent twice"],
      {
        env: server.env,
      },
    );
    expect(planned.stderr).toBe("");
    plan = /andon apply (\S+)/.exec(planned.stdout)?.[1] ?? "";
    expect(planned.stdout).toContain("한글 키");
    expect(planned.stdout).toMatch(/Jobs +\d+ \(ready \d+\)/);
  });
  const waiting = async () => (await server.client.queues.status({ queue: "later" })).waiting;

  test("is not applied without a terminal and without --yes", async () => {
    const { code, stdout, stderr } = await andon(["apply", plan], { env: server.env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--yes");
    expect(await waiting()).toBeGreaterThan(0);
  });

  test.each([
    ["no", "n\n"],
    ["nothing", "\n"],
  ])("is shown and not applied where a person answers %s", async (_, input) => {
    const { code, stderr } = await andon(["apply", plan], { env: server.env, terminal: 100, input });
    expect(code).toBe(1);
    expect(stderr).toContain("한글 키");
    expect(stderr).toContain("Nothing was done.");
    expect(await waiting()).toBeGreaterThan(0);
  });

  test.each([
    ["en", "y\n"],
    ["ko", "네\n"],
  ])("is applied where a person says yes, in %s", async (lang, input) => {
    const args = ["apply", plan, "--lang", lang];
    const { code, stdout } = await andon(args, { env: server.env, terminal: 100, input });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Applied to exactly the|그대로 적용했습니다/);
    expect(await waiting()).toBe(0);
  });

  test("is applied once: a second time is a conflict", async () => {
    expect((await andon(["apply", plan, "--yes"], { env: server.env })).code).toBe(0);
    const again = await andon(["apply", plan, "--yes"], { env: server.env });
    expect(again.code).toBe(6);
    expect(again.stderr).toContain("[PLAN_USED]");
    expect(again.stderr).toContain("andon plan");
    const asked = await andon(["apply", plan], { env: server.env, terminal: 100 });
    expect(asked.code).toBe(6);
  });

  test("does nothing if one of its jobs has changed since", async () => {
    const { items } = await server.client.jobs.list({ queue: "later", state: "ready" });
    await server.client.jobs.cancel({ id: items[0]?.id ?? "" });
    const { code, stderr } = await andon(["apply", plan, "--yes"], { env: server.env });
    expect(code).toBe(6);
    expect(stderr).toContain("[PLAN_STALE]");
  });
});
