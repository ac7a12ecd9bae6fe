import { ROUTES } from "@andon/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { andon, startTestServer, type TestServer } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer("sqlite", { decisions: { undoWindow: "1h" }, queues: { later: {} } });
});
afterAll(() => server.close());

test("a held-back cancel says until when and how it can be undone", async () => {
  const { id, ticket } = await server.client.queues.add({ queue: "later", payload: 1, delay: 3_600_000 });
  const env = server.env;
  const cancelled = await andon(["cancel", ticket, "--reason", "sent twice"], { env });
  expect(cancelled.code).toBe(0);
  expect(cancelled.stdout).toMatch(
    /scheduled .*It will be applied at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\. Until then it can be undone: andon undo \d+/,
  );
  expect((await andon(["show", id, "--no-color"], { env })).stdout).toMatch(/Held back +cancel by \S+ at /);
  const undone = await andon(["undo", ticket, "--reason", "the wrong job"], { env });
  expect(undone).toMatchObject({ code: 0, stdout: "The decision is undone. The job stays as it was.\n" });
  await andon(["cancel", ticket], { env });
  const { stdout } = await andon(["undo", ticket, "--json"], { env });
  expect(ROUTES.decisions.undo.answer.parse(JSON.parse(stdout))).toMatchObject({
    decision: { jobId: id, action: "cancel", state: "undone" },
  });
  const again = await andon(["undo", ticket], { env });
  expect(again.code).toBe(6);
  expect(again.stderr).toContain(`No decision about the job ${ticket} is held back.`);
  expect((await andon(["undo", ticket, "--lang", "ko"], { env })).stderr).toContain(
    "적용을 기다리는 결정이 없습니다",
  );
});
