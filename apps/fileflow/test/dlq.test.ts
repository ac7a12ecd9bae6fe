import { expect } from "vitest";
import { describeFileflow, type FileflowServer, ownEvent, until } from "./harness.ts";
import { noop } from "./programs.ts";

const pipelines = [
  { code: "default", stages: [{ use: "noop" }] },
  { code: "late", stages: [{ use: "noop" }] },
];
const setUp = { app: { programs: { noop } }, settings: { fileflow: { pipelines } } as never };

async function deadLetter(server: FileflowServer, body: unknown = { hello: "world" }): Promise<string> {
  return (await server.ask("POST", "/ingest/events", { body })).body.details.dlqId;
}

/** Replaces the body of a letter with a valid event, as if a later version could read it. */
async function mend(server: FileflowServer, id: string): Promise<void> {
  await server.site.andon.store.transaction("test", (tx) =>
    tx.query("update fileflow_dlq set body = $2 where id = $1", [
      id,
      JSON.stringify(ownEvent({ pipelineCode: "late" })),
    ]),
  );
}

describeFileflow("dead letters", (it) => {
  it("count their failed redrives, and are quarantined after three", setUp, async (server) => {
    const id = await deadLetter(server);
    expect((await server.ask("GET", "/metrics")).body).toMatch(
      /^fileflow_dead_letters_total\{error="PP-400-JSON"\} 1$/m,
    );
    for (const [count, state] of [
      [1, "DEAD"],
      [2, "DEAD"],
      [3, "QUARANTINED"],
    ] as const)
      expect(await server.done("POST", `/dlq/${id}/redrive`)).toMatchObject({
        redriveCount: count,
        state,
        error: "PP-400-JSON",
      });
    const { status, body } = await server.ask("POST", `/dlq/${id}/redrive`);
    expect([status, body.error]).toEqual([409, "PP-409-STATE"]);
    const { lineage } = await server.done("GET", `/dlq/${id}`);
    expect(lineage.map((one: { event: string }) => one.event)).toEqual([
      "RECEIVED",
      "REDRIVEN",
      "DEAD_AGAIN",
      "REDRIVEN",
      "DEAD_AGAIN",
      "REDRIVEN",
      "QUARANTINED",
    ]);
    expect((await server.ask("POST", `/dlq/${id}/discard`, { body: {} })).status).toBe(400);
    expect((await server.ask("POST", `/dlq/${id}/discard`, { body: { reason: " " } })).status).toBe(400);
    expect(await server.done("POST", `/dlq/${id}/discard`, { body: { reason: "test data" } })).toEqual({
      id,
      state: "DISCARDED",
    });
    const { items } = await server.done("GET", "/admin/audit?action=dlq.discard");
    expect(items).toMatchObject([{ reason: "test data", target: `dlq:${id}` }]);
  });

  it("become executions with their idempotency key when they can be read", setUp, async (server) => {
    const id = await deadLetter(server);
    await mend(server, id);
    const redriven = await server.done("POST", `/dlq/${id}/redrive`, { body: { reason: "mended" } });
    expect(redriven).toMatchObject({ state: "REDRIVEN", created: true, redriveCount: 1, error: null });
    await server.inStatus(redriven.executionId, "COMPLETED");
    expect((await server.ask("POST", `/dlq/${id}/redrive`)).status).toBe(409);
    expect((await server.done("GET", "/dlq/counts")).counts).toMatchObject({ DEAD: 0, REDRIVEN: 1 });
  });

  it("are redriven in bulk: first a plan, then exactly that, at a rate", setUp, async (server) => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) ids.push(await deadLetter(server));
    for (const id of ids.slice(0, 4)) await mend(server, id);
    const plan = await server.done("POST", "/dlq/redrive/plan", { body: { limit: 5 } });
    expect(plan).toMatchObject({ total: 5, byError: { "PP-400-JSON": 5 } });
    await server.done("POST", `/dlq/${ids[0]}/discard`, { body: { reason: "meanwhile" } });
    const started = await server.done("POST", "/dlq/redrive", {
      body: { planId: plan.planId, ratePerSecond: 100 },
    });
    expect(started).toMatchObject({ state: "RUNNING", total: 5, ratePerSecond: 100 });
    const progress = () => server.done("GET", `/dlq/redrives/${started.redriveId}`);
    await until(async () => (await progress()).state === "DONE");
    expect(await progress()).toMatchObject({ done: 5, redriven: 3, deadAgain: 1, leftOut: 1 });
    expect((await server.done("GET", `/dlq/${ids[5]}`)).redriveCount).toBe(0);
    expect((await server.ask("POST", "/dlq/redrive", { body: { planId: plan.planId } })).body.error).toBe(
      "PLAN_USED",
    );
    expect((await server.done("GET", "/pipelines/executions")).total).toBe(3);
    expect(await server.metric("fileflow_executions_created_total")).toBe(3);
  });

  it(
    "are not sent by a bulk redrive after it was stopped, and the stop is audited",
    setUp,
    async (server) => {
      const ids: string[] = [];
      for (let at = 0; at < 3; at++) ids.push(await deadLetter(server));
      const { redriveId } = await server.done("POST", "/dlq/redrive", {
        body: { ids, ratePerSecond: 0.001 },
      });
      const progress = () => server.done("GET", `/dlq/redrives/${redriveId}`);
      await until(async () => (await progress()).done === 1);
      const stop = () =>
        server.done("POST", `/dlq/redrives/${redriveId}/cancel`, { body: { reason: "wrong" } });
      expect(await stop()).toMatchObject({ state: "CANCELLED", done: 1 });
      expect(await stop()).toMatchObject({ state: "CANCELLED", done: 1 });
      const { items } = await server.done("GET", "/admin/audit?action=dlq.redrive.cancel");
      expect(items).toMatchObject([{ reason: "wrong", target: `redrive:${redriveId}`, after: { done: 1 } }]);
      expect((await server.done("GET", `/dlq/${ids[1]}`)).redriveCount).toBe(0);
    },
  );

  it("are visible only to their tenant", setUp, async (server) => {
    const [acme, other] = [
      await server.key(["admin"], { tenantId: "acme" }),
      await server.key(["admin"], { tenantId: "other" }),
    ];
    const { body } = await server.ask("POST", "/ingest/events", { token: acme, body: "{" });
    const { dlqId } = body.details;
    expect((await server.ask("GET", `/dlq/${dlqId}`, { token: acme })).status).toBe(200);
    expect((await server.ask("GET", `/dlq/${dlqId}`, { token: other })).body.error).toBe("DLQ_NOT_FOUND");
    expect((await server.ask("POST", `/dlq/${dlqId}/redrive`, { token: other })).status).toBe(404);
    expect((await server.done("GET", "/dlq", { token: other })).total).toBe(0);
  });
});
