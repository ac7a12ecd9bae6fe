import { expect } from "vitest";
import type { ExtractionEvent } from "../src/extractions/publish.ts";
import { receiveExtraction } from "../src/extractions/receive.ts";
import { describeFileflow, until } from "./harness.ts";
import { defaultPipeline, noop, stagesOf } from "./programs.ts";

const extracting = {
  run: async () => ({
    facts: {},
    extracted: [
      { type: "TEXT", method: "test", confidence: 0.5, ref: null, mimeType: null, facts: { pages: 2 } },
    ],
  }),
};

describeFileflow("extraction events", (it) => {
  it(
    "that are received 1,000 times, in parallel and out of order, make one row with the newest content",
    {
      app: { programs: { noop } },
      settings: defaultPipeline(stagesOf("noop")),
    },
    async (server) => {
      const { store } = server.site.andon;
      const event = (publishedAt: number): ExtractionEvent => ({
        idempotencyKey: "e#text#TEXT",
        executionId: "e",
        fileId: "f",
        extractionType: "TEXT",
        method: `at ${publishedAt}`,
        confidence: 1,
        traceId: "t",
        tenantId: "default",
        organizationId: "default",
        stage: "text",
        contentRef: null,
        mimeType: null,
        facts: {},
        publishedAt,
      });
      const times = Array.from({ length: 1_000 }, (_, at) => 1 + ((at * 7) % 10));
      const answers = await Promise.all(times.map((at) => receiveExtraction(store, event(at))));
      expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
      const rows = await server.rows<{ method: string; receives: number }>(
        "select method, receives from fileflow_extractions",
      );
      expect(rows.map(({ method, receives }) => [method, Number(receives)])).toEqual([["at 10", 1_000]]);
    },
    60_000,
  );

  it("reach the receiver through the outbox, in the transaction that completes the stage", {
    app: { programs: { extracting } },
    settings: defaultPipeline(stagesOf("extracting", "publish")),
  }, async (server) => {
    const id = await server.execute({ traceId: "trace-9" });
    await server.inStatus(id, "COMPLETED");
    const list = () => server.done("GET", `/pipelines/executions/${id}/extractions`);
    await until(async () => (await list()).total === 1);
    expect((await list()).items).toMatchObject([
      {
        id: `${id}#extracting#TEXT`,
        method: "test",
        confidence: 0.5,
        traceId: "trace-9",
        facts: { pages: 2 },
        text: null,
      },
    ]);
    expect((await server.ask("GET", "/metrics")).body).toMatch(
      /fileflow_extractions_received_total\{outcome="ok"\} 1/,
    );
  });
});
