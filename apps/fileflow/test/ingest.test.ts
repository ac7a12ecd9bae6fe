import { expect } from "vitest";
import { describeFileflow, ownEvent, until } from "./harness.ts";
import { defaultPipeline, noop, stagesOf } from "./programs.ts";

const setUp = { app: { programs: { noop } }, settings: defaultPipeline(stagesOf("noop")) };

const record = (key: string, more: Record<string, unknown> = {}) => ({
  eventVersion: "2.1",
  eventSource: "aws:s3",
  eventName: "ObjectCreated:Put",
  eventTime: "2026-11-18T01:02:03.000Z",
  s3: {
    bucket: { name: "photos" },
    object: { key, size: 3, eTag: "abc", sequencer: "0055AED6DCD90281E5", ...more },
  },
});

const bridge = (key: string) => ({
  version: "0",
  "detail-type": "Object Created",
  source: "aws.s3",
  time: "2026-11-18T01:02:03Z",
  detail: {
    bucket: { name: "photos" },
    object: { key, size: 3, etag: "abc", sequencer: "0055AED6DCD90281E5" },
  },
});

describeFileflow("POST /ingest/events", (it) => {
  it(
    "accepts all three shapes of events; the same object makes one execution in any shape",
    setUp,
    async (server) => {
      const token = await server.key(["pipeline.ingest", "pipeline.read"], {
        tenantId: "acme",
        organizationId: "7",
      });
      const asked = (body: unknown) => server.ask("POST", "/ingest/events", { body, token });
      const first = await asked({ Records: [record("a+b/%ED%95%9C%EA%B8%80.txt")] });
      expect([first.status, first.body.created]).toEqual([202, true]);
      const again = await asked(bridge("a b/한글.txt"));
      expect([again.status, again.body]).toEqual([
        202,
        { executionId: first.body.executionId, created: false },
      ]);
      const own = await server.ingest(
        {
          tenantId: "acme",
          organizationId: 7,
          bucket: "photos",
          key: "a b/한글.txt",
          size: 3,
          mime: "text/plain",
          sequencer: "0055AED6DCD90281E5",
        },
        token,
      );
      expect(own.body).toEqual({ executionId: first.body.executionId, created: false });
      const shown = await server.execution(first.body.executionId);
      expect(shown).toMatchObject({
        key: "a b/한글.txt",
        tenantId: "acme",
        organizationId: "7",
        idempotencyKey: "ObjectCreated#photos#a b/한글.txt#default#0055AED6DCD90281E5",
      });
      expect(shown.traceId).toMatch(/^[0-9a-f]{32}$/);
      const several = await asked({
        Records: [record("x"), { eventName: "ObjectCreated:Put" }, record("y")],
      });
      expect(several.status).toBe(202);
      expect(several.body.executions).toMatchObject([
        { created: true },
        { error: "PP-400-JSON" },
        { created: true },
      ]);
      expect(await server.metric("fileflow_executions_created_total")).toBe(3);
      expect(await server.metric('fileflow_events_consumed_total{outcome="failed"}')).toBe(1);
      const test = await asked({ Service: "Amazon S3", Event: "s3:TestEvent", Bucket: "photos" });
      expect([test.status, test.body]).toEqual([202, { executions: [] }]);
    },
  );

  it(
    "creates one execution for 1,000 parallel duplicates, and refuses other content under the same key",
    setUp,
    async (server) => {
      const event = ownEvent({ key: "same", versionId: "v1" });
      const replies = await Promise.all(
        Array.from({ length: 1_000 }, () => server.ask("POST", "/ingest/events", { body: event })),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
      expect(new Set(replies.map(({ body }) => body.executionId)).size).toBe(1);
      expect(replies.filter(({ body }) => body.created)).toHaveLength(1);
      expect(await server.metric("fileflow_executions_created_total")).toBe(1);
      expect(await server.metric('fileflow_events_consumed_total{outcome="ok"}')).toBe(1_000);
      expect((await server.done("GET", "/pipelines/executions")).total).toBe(1);
      for (const other of [{ size: 6 }, { mime: "image/png" }, { organizationId: 124 }]) {
        const { status, body } = await server.ask("POST", "/ingest/events", { body: { ...event, ...other } });
        expect([status, body.error]).toEqual([409, "PP-409-IDEMP"]);
      }
      const next = await server.ask("POST", "/ingest/events", {
        body: { ...event, size: 6, versionId: "v2" },
      });
      expect([next.status, next.body.created]).toEqual([202, true]);
    },
    240_000,
  );

  it("requires the own schema to name the owner, even if the bucket has one", {
    ...setUp,
    settings: {
      fileflow: {
        buckets: { bkt: { tenantId: "acme", organizationId: 7 } },
        pipelines: [{ code: "default", stages: stagesOf("noop") }],
      },
    } as never,
  }, async (server) => {
    const { status, body } = await server.ingest({ tenantId: undefined });
    expect([status, body.error]).toEqual([400, "PP-400-JSON"]);
    expect(body.details.reasons).toEqual(["tenantId: is missing"]);
  });

  it("keeps an invalid message as a dead letter with its reasons", setUp, async (server) => {
    const bad: [unknown, RegExp][] = [
      ["{ not json", /no valid JSON/],
      ["", /no valid JSON/],
      ["[".repeat(10_000), /deeper than/],
      [{ ...ownEvent(), size: "many" }, /size/],
      [{ ...ownEvent(), tenantId: undefined }, /tenantId: is missing/],
      [{ ...ownEvent(), organizationId: undefined }, /organizationId: is missing/],
      [{ ...ownEvent(), key: "a\u0000b" }, /NUL/],
      [{ ...ownEvent(), bucket: "../etc" }, /bucket/],
      [{ ...ownEvent(), pipelineCode: "nope" }, /no pipeline/],
      [{ ...ownEvent(), type: "s3.object.moved" }, /type/],
      [{ Records: [record("x")] }, /tenantId: is missing/],
      [{ hello: "world" }, /type: is missing/],
      [42, /must be an object/],
      [{ ...ownEvent(), key: "", priority: 9_999, traceId: 5, occurredAt: "now" }, /key: must not be empty/],
      [{ ...ownEvent(), key: "k".repeat(1_025) }, /longer than 1024 bytes/],
      [{ Records: [] }, /Records: must not be empty/],
      [{ "detail-type": "Object Moved" }, /detail-type: must be "Object Created"/],
      [
        { Records: [{ ...record("%zz"), eventName: "Other" }] },
        /eventName.*not encoded|not encoded.*eventName/,
      ],
    ];
    for (const [body, reason] of bad) {
      const reply = await server.ask("POST", "/ingest/events", { body });
      expect([reply.status, reply.body.error, reply.body.detail]).toEqual([
        400,
        "PP-400-JSON",
        expect.stringMatching(reason),
      ]);
      const letter = await server.done("GET", `/dlq/${reply.body.details.dlqId}`);
      expect(letter).toMatchObject({ error: "PP-400-JSON", state: "DEAD", source: "HTTP", redriveCount: 0 });
      expect(letter.lineage).toMatchObject([{ event: "RECEIVED" }]);
      const inKorean = { headers: { "accept-language": "ko" } };
      const { reasons } = await server.done("GET", `/dlq/${letter.id}`, inKorean);
      for (const text of reasons) expect(text).toMatch(/[가-힣]/);
    }
    expect((await server.done("GET", "/dlq")).total).toBe(bad.length);
    expect((await server.done("GET", "/pipelines/executions")).total).toBe(0);
  });

  it("assigns events to the tenant and organisation of the caller, on every route", setUp, async (server) => {
    const token = await server.key(["admin"], { tenantId: "acme", organizationId: "7" });
    const foreign = await server.ingest({ tenantId: "other" }, token);
    expect([foreign.status, foreign.body.error]).toEqual([403, "PP-403-SCOPE"]);
    const id = await server.execute({ tenantId: "other" });
    for (const path of ["", "/logs", "/extractions"])
      expect((await server.ask("GET", `/pipelines/executions/${id}${path}`, { token })).body.error).toBe(
        "PP-404-EXEC",
      );
    for (const action of ["cancel", "retry"])
      expect((await server.ask("POST", `/pipelines/executions/${id}:${action}`, { token })).status).toBe(404);
    expect((await server.done("GET", "/pipelines/executions", { token })).total).toBe(0);
    expect((await server.refused("GET", "/pipelines/executions?tenantId=other", { token })).error).toBe(
      "PP-403-SCOPE",
    );
    expect((await server.done("GET", "/pipelines/executions?tenantId=other&orgId=123")).total).toBe(1);
    const { fileId } = await server.execution(id);
    const found = (text: string, as = {}) =>
      server.done("GET", `/pipelines/executions?text=${encodeURIComponent(text)}`, as);
    expect((await found(fileId.toUpperCase())).items).toMatchObject([{ executionId: id }]);
    expect((await found("no such object")).total).toBe(0);
    expect((await found(fileId, { token })).total).toBe(0);
    await until(async () => (await server.execution(id)).status === "COMPLETED");
  });

  it("marks executions whose objects are deleted later", setUp, async (server) => {
    const id = await server.execute({ bucket: "photos", key: "gone.txt" });
    await server.done("POST", "/ingest/events", {
      body: ownEvent({ type: "s3.object.deleted", bucket: "photos", key: "gone.txt" }),
    });
    expect((await server.execution(id)).fileDeleted).toBe(true);
  });
});
