import { afterAll, beforeAll, expect, test } from "vitest";
import { andon, startTestServer, type TestServer } from "./harness.ts";

const MANY = 150;

let server: TestServer;
beforeAll(async () => {
  // Answers that take any time at all come as 202.
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

test("a decision over many jobs waits for its end and tells how many were done", async () => {
  await fill("a");
  const { code, stdout, stderr } = await cancelRest("a");
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `${MANY} of ${MANY} jobs done.\n`,
    stderr: "",
  });
  expect(await server.client.queues.status({ queue: "later" })).toMatchObject({ waiting: 0 });
});

test("as JSON it is the operation that has ended", async () => {
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
