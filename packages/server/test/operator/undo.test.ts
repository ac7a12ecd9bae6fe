import { expect } from "vitest";
import { describeServers, type TestServer, until } from "../harness.ts";

const broken = () => {
  throw new Error("broken");
};
const settings = (undoWindow: string) => ({
  decisions: { undoWindow },
  queues: { "nas-sync": { attempts: 1, onFinalFailure: "hold-lane" as const, handler: broken as never } },
});

async function failedJob(server: TestServer): Promise<{ id: string; ticket: string }> {
  const added = await server.client().queues.add({ queue: "nas-sync", payload: {} });
  await until(async () => (await server.client().jobs.show({ id: added.id })).state === "failed");
  return added;
}

describeServers("a decision that is held back", (it) => {
  it("can be undone until it is applied", settings("1h"), async (server) => {
    const { id, ticket } = await failedJob(server);
    const reason = { reason: "not needed" };
    const skipped = await server.ask("POST", `/admin/queue/skip/${ticket}`, { body: reason });
    expect(skipped.status).toBe(202);
    const { pendingDecision } = skipped.body;
    expect(pendingDecision).toMatchObject({
      action: "skip",
      jobId: id,
      state: "pending",
      reason: "not needed",
    });
    const shown = (await server.ask("GET", `/admin/jobs/${id}`)).body;
    expect(shown).toMatchObject({ state: "failed", pendingDecision: { id: pendingDecision.id } });
    expect((await server.refused("POST", `/admin/jobs/${id}/skip`, { body: reason })).error).toBe(
      "DECISION_PENDING",
    );
    const [listed] = (await server.client().jobs.list({ queue: "nas-sync" })).items;
    expect(listed?.pendingDecision?.id).toBe(pendingDecision.id);

    const stranger = await server.key(["queue.read", "queue.operate"], { tenantId: "other" });
    const path = `/admin/decisions/${pendingDecision.id}/undo`;
    expect((await server.refused("POST", path, { token: stranger, body: {} })).error).toBe(
      "DECISION_NOT_FOUND",
    );
    const undone = await server.ask("POST", path, { body: { reason: "a mistake" } });
    expect([undone.status, undone.body.decision.state]).toEqual([200, "undone"]);
    expect((await server.ask("GET", `/admin/jobs/${id}`)).body.pendingDecision).toBeUndefined();
    expect((await server.refused("POST", path, { body: {} })).error).toBe("DECISION_SETTLED");
    expect((await server.ask("GET", `/admin/decisions/${pendingDecision.id}`)).body).toMatchObject({
      state: "undone",
    });
  });

  it("is applied when its window has passed", settings("500ms"), async (server) => {
    const { id } = await failedJob(server);
    const held = await server.ask("POST", `/admin/jobs/${id}/skip`, { body: { reason: "not needed" } });
    expect([held.status, held.body.state]).toEqual([202, "failed"]);
    await until(async () => (await server.client().jobs.show({ id })).state === "resolved");
  });

  it("is applied at once without a window", { queues: settings("0").queues }, async (server) => {
    const { id } = await failedJob(server);
    const skipped = await server.ask("POST", `/admin/jobs/${id}/skip`, { body: { reason: "not needed" } });
    expect([skipped.status, skipped.body.state]).toEqual([200, "resolved"]);
  });
});
