import { afterAll, beforeAll, expect, test } from "vitest";
import { andon, startTestServer, type TestServer, until } from "./harness.ts";

const MANY = 150;

let server: TestServer;
beforeAll(async () => {
  // With 0 ms, every decision over many jobs is answered with 202.
  server = await startTestServer("sqlite", { queues: { later: {} } }, undefined, { answerWithinMs: 0 });
});
afterAll(() => server.close());

const fill = async (key: string) => {
  const payloads = Array.from({ length: MANY }, (_, n) => n);
  await server.site.queues.get("later")?.queue.addMany(payloads, { key });
};
const cancelRest = (key: string, ...more: string[]) =>
  andon(["lane", "cancel-rest", key, "--queue", "later", "--reason", "too many", ...more], {
    env: server.env,
  });

test("the command waits for the end of a decision over many jobs and prints how many were done", async () => {
  await fill("a");
  const { code, stdout, stderr } = await cancelRest("a");
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `${MANY} of ${MANY} jobs done.\n`,
    stderr: "",
  });
  expect(await server.client.queues.status({ queue: "later" })).toMatchObject({ waiting: 0 });
});

test("--json prints the ended operation", async () => {
  await fill("b");
  const { stdout } = await cancelRest("b", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    action: "cancel-rest",
    state: "DONE",
    total: MANY,
    done: MANY,
    leftOut: { count: 0, jobs: [] },
  });
});

test("a decision that is cancelled midway is not a success, and `operations show` shows it", async () => {
  const queue = server.site.queues.get("later")?.queue;
  await queue?.addMany(
    Array.from({ length: 3_000 }, (_, n) => n),
    { key: "c" },
  );
  const followed = cancelRest("c");
  const running = async () => (await server.client.operations.list({ running: "true" })).items[0];
  await until(async () => (await running()) !== undefined);
  const { id } = (await running()) as { id: string };
  const { done } = await server.client.operations.cancel({ id, reason: "a mistake" });
  const { code, stdout } = await followed;
  expect(code).toBe(1);
  expect(stdout).toContain(`${done} of 3000 jobs done.`);
  expect(stdout).toContain("It was cancelled in between");
  const shown = await andon(["operations", "show", id], { env: server.env });
  expect(shown.stdout).toMatch(new RegExp(`State +cancelled\nDone +${done}/3000`));
  const again = await andon(["operations", "cancel", id], { env: server.env });
  expect(again).toMatchObject({ code: 6, stderr: expect.stringContaining("[OPERATION_ENDED]") });
});
