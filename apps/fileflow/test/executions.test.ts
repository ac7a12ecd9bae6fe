import { expect } from "vitest";
import { docxFile } from "./extract/zip-file.ts";
import { describeFileflow, type FileflowServer, until } from "./harness.ts";
import { defaultPipeline, Gate, noop, stagesOf } from "./programs.ts";

describeFileflow("an execution", (it) => {
  it("goes from an event through the stages of the default pipeline to its text", {}, async (server) => {
    server.putObject("bkt", "path/hello.txt", "Hello, 안녕하세요.");
    const id = await server.execute({
      key: "path/hello.txt",
      size: 23,
      mime: "text/plain",
      traceId: "trace-1",
    });
    const done = await server.inStatus(id, "COMPLETED");
    expect(done.stages.map((stage: { name: string; status: string }) => [stage.name, stage.status])).toEqual([
      ["probe", "COMPLETED"],
      ["image", "SKIPPED"],
      ["text", "COMPLETED"],
      ["ocr", "SKIPPED"],
      ["publish", "COMPLETED"],
    ]);
    expect(done).toMatchObject({
      traceId: "trace-1",
      tenantId: "tnt_demo",
      organizationId: "123",
      triggerType: "UPLOAD",
    });
    const extractions = () => server.done("GET", `/pipelines/executions/${id}/extractions`);
    await until(async () => (await extractions()).total === 1);
    const [extraction] = (await extractions()).items;
    expect(extraction).toMatchObject({
      id: `${id}#text#TEXT`,
      extractionType: "TEXT",
      text: "Hello, 안녕하세요.",
    });
    const content = await server.ask(
      "GET",
      `/pipelines/extractions/${encodeURIComponent(extraction.id)}/content`,
    );
    expect(content.body).toBe("Hello, 안녕하세요.");
    const { stages } = await server.done("GET", `/pipelines/executions/${id}/logs`);
    expect(stages.map((stage: { name: string }) => stage.name)).toEqual([
      "probe",
      "image",
      "text",
      "ocr",
      "publish",
    ]);
    const inKorean = { headers: { "accept-language": "ko" } };
    const shown = await server.done("GET", `/pipelines/executions/${id}`, inKorean);
    expect(shown.stages[1].reason).toBe("읽을 수 있는 이미지가 아닙니다");
    const log = await server.done("GET", `/pipelines/executions/${id}/logs`, inKorean);
    expect(log.stages[2].entries.map((entry: { message: string }) => entry.message)).toEqual([
      "시작",
      "글자 13자를 찾았습니다",
      "완료",
    ]);
  });

  it("whose object is missing fails at once with PP-500-IO", {}, async (server) => {
    const id = await server.execute({ key: "path/none.txt" });
    const failed = await server.inStatus(id, "FAILED");
    expect(failed.error).toMatchObject({ code: "PP-500-IO" });
    expect(failed.stages).toMatchObject([{ name: "probe", status: "FAILED", attempts: 1 }]);
    const path = `/pipelines/executions/${id}`;
    const shown = await server.done("GET", path, { headers: { "accept-language": "ko" } });
    expect(shown.error.message).toBe("오브젝트가 없습니다(SOURCE_MISSING)");
    const { status, body } = await server.ask("POST", `/pipelines/executions/${id}:cancel`);
    expect([status, body.error]).toEqual([409, "PP-409-STATE"]);
  });

  it("fails for a truncated or encrypted DOCX, although its content looks like another type", {}, async (server) => {
    const cutOff = docxFile(["one line"]).subarray(0, -80);
    server.putObject("bkt", "cut-off", cutOff);
    const encrypted = Buffer.from("d0cf11e0a1b11ae1".padEnd(1_200, "0"), "hex");
    server.putObject("bkt", "encrypted.docx", encrypted);
    const mime = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const ids = [
      await server.execute({ key: "cut-off", size: cutOff.length, mime }),
      await server.execute({ key: "encrypted.docx", size: encrypted.length, mime: "application/x-any" }),
    ];
    const codes = [];
    for (const id of ids) codes.push((await server.inStatus(id, "FAILED")).error.code);
    expect(codes).toEqual(["EXTRACT_CORRUPT", "EXTRACT_ENCRYPTED"]);
  });

  it("that fails is retried by its strategy, and ends FAILED, or TIMEOUT by its code", {
    app: {
      programs: {
        broken: { run: async () => Promise.reject(Object.assign(new Error("503"), { code: "HTTP_503" })) },
        slow: {
          run: ({ signal }) =>
            new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        },
      },
    },
    settings: {
      fileflow: {
        pipelines: [
          { code: "broken", stages: [{ use: "broken", retry: { type: "fixed", max: 3, delay: 1 } }] },
          { code: "slow", stages: [{ use: "slow", timeout: 50, retry: { type: "none" } }] },
        ],
      },
    } as never,
  }, async (server) => {
    const broken = await server.inStatus(await server.execute({ pipelineCode: "broken" }), "FAILED");
    expect(broken).toMatchObject({
      error: { code: "HTTP_503" },
      stages: [{ name: "broken", status: "FAILED", attempts: 3 }],
    });
    const { stages } = await server.done("GET", `/pipelines/executions/${broken.executionId}/logs`);
    expect(stages[0].entries.map((entry: { code: string }) => entry.code)).toEqual([
      "HTTP_503",
      "HTTP_503",
      "HTTP_503",
    ]);
    expect(await server.metric('fileflow_stage_retries_total{stage="broken"}')).toBe(2);
    // Named without the pipeline, like completed stages.
    expect(await server.metric('fileflow_stages_ended_total{stage="broken:failed"}')).toBe(1);
    const slow = await server.inStatus(await server.execute({ pipelineCode: "slow" }), "TIMEOUT");
    expect(slow.stages).toMatchObject([{ name: "slow", status: "TIMEOUT" }]);
    const rows = await server.rows<{ status: string }>("select status from pipeline_executions order by id");
    expect(rows.map(({ status }) => status)).toEqual(["FAILED", "TIMEOUT"]);
    expect((await server.done("GET", "/pipelines/executions?status=TIMEOUT")).total).toBe(1);
    const { counts, topErrors } = await server.done("GET", "/pipelines/executions/counts");
    expect([counts.FAILED, counts.TIMEOUT, topErrors.length]).toEqual([1, 1, 2]);
    await until(async () =>
      (await server.done("GET", "/admin/alerts")).items.some(
        (a: { type: string }) => a.type === "EXECUTION_FAILED",
      ),
    );
  });
});

const gate = { first: new Gate(), second: new Gate() };

/** Retries by hand: accepted, succeeded, failed again. */
const retried = (server: FileflowServer) =>
  Promise.all(
    ["accepted", "succeeded", "failed-again"].map((outcome) =>
      server.metric(`fileflow_manual_retries_total{outcome="${outcome}"}`),
    ),
  );

describeFileflow("cancel and retry", (it) => {
  it(
    "cancels a running execution at the stage boundary, and rolls its stages back",
    () => {
      gate.first = new Gate();
      gate.second = new Gate();
      return {
        app: { programs: { first: gate.first.program, second: gate.second.program } },
        settings: defaultPipeline(stagesOf("first", "second")),
      };
    },
    async (server) => {
      const id = await server.execute();
      await until(async () => gate.first.entered.includes(id));
      const asked = await server.ask("POST", `/pipelines/executions/${id}:cancel`, {
        body: { reason: "wrong file" },
      });
      expect([asked.status, asked.body.accepted]).toEqual([202, true]);
      expect((await server.execution(id)).cancelRequested).toBe(true);
      gate.first.open();
      const cancelled = await server.inStatus(id, "CANCELLED");
      expect(gate.second.entered).toEqual([]);
      expect(gate.first.rolledBack).toEqual([id]);
      expect(cancelled.cancel).toMatchObject({ reason: "wrong file" });
      const { items } = await server.done("GET", "/admin/audit?action=execution.cancel");
      expect(items).toMatchObject([{ action: "execution.cancel", reason: "wrong file" }]);
      expect((await server.ask("POST", `/pipelines/executions/${id}:retry`)).body.error).toBe("PP-409-STATE");
    },
  );

  it(
    "can undo a cancel for a while if the settings allow it",
    () => {
      gate.first = new Gate();
      gate.second = new Gate();
      return {
        app: { programs: { first: gate.first.program, second: gate.second.program } },
        settings: {
          ...(defaultPipeline(stagesOf("first", "second")) as object),
          decisions: { undoWindow: "1s" },
        },
      };
    },
    async (server) => {
      const id = await server.execute();
      await until(async () => gate.first.entered.includes(id));
      const cancel = () => server.ask("POST", `/pipelines/executions/${id}:cancel`);
      const { status, body } = await cancel();
      expect([status, body.status, body.pendingDecision.state]).toEqual([202, "RUNNING", "pending"]);
      const shown = await server.execution(id);
      expect(shown).toMatchObject({
        cancelRequested: false,
        pendingDecision: { id: body.pendingDecision.id },
      });
      await server.done("POST", `/admin/decisions/${body.pendingDecision.id}/undo`);
      expect((await server.execution(id)).pendingDecision).toBeUndefined();
      await cancel();
      await until(async () => (await server.execution(id)).cancelRequested);
      gate.first.open();
      await server.inStatus(id, "CANCELLED");
      expect(gate.second.entered).toEqual([]);
    },
  );

  it(
    "resumes a failed execution in its failed stage",
    () => {
      let fails = true;
      return {
        app: {
          programs: {
            noop,
            flaky: {
              run: async () => {
                if (fails) {
                  fails = false;
                  throw new Error("once");
                }
                return { facts: {} };
              },
            },
          },
        },
        settings: defaultPipeline([{ use: "noop" }, { use: "flaky", retry: { type: "none" } }]),
      };
    },
    async (server) => {
      const id = await server.execute();
      await server.inStatus(id, "FAILED");
      expect(await server.done("POST", `/pipelines/executions/${id}:retry`)).toEqual({ accepted: true });
      const done = await server.inStatus(id, "COMPLETED");
      expect(done).toMatchObject({ retries: 1, error: null });
      expect(done.stages.map((stage: { status: string }) => stage.status)).toEqual([
        "COMPLETED",
        "COMPLETED",
      ]);
      const { items } = await server.done("GET", "/admin/audit?action=execution.retry");
      expect(items).toHaveLength(1);
      expect(await retried(server)).toEqual([1, 1, undefined]);
    },
  );

  it(
    "creates a new execution that refers to the old one, if the settings say so",
    () => {
      let runs = 0;
      return {
        app: {
          programs: {
            flaky: {
              run: async () => {
                if (++runs <= 2) throw new Error("twice");
                return { facts: {} };
              },
            },
          },
        },
        settings: {
          fileflow: {
            retryPolicy: "new",
            pipelines: [{ code: "default", stages: [{ use: "flaky", retry: { type: "none" } }] }],
          },
        } as never,
      };
    },
    async (server) => {
      const id = await server.execute();
      await server.inStatus(id, "FAILED");
      const { newExecutionId } = await server.done("POST", `/pipelines/executions/${id}:retry`);
      await server.inStatus(newExecutionId, "FAILED");
      expect(await server.execution(id)).toMatchObject({ status: "FAILED", retriedAs: newExecutionId });
      expect((await server.ask("POST", `/pipelines/executions/${id}:retry`)).status).toBe(409);
      const again = await server.done("POST", `/pipelines/executions/${newExecutionId}:retry`);
      expect(await server.inStatus(again.newExecutionId, "COMPLETED")).toMatchObject({
        retryOf: newExecutionId,
        triggerType: "RETRY",
      });
      expect(await retried(server)).toEqual([2, 1, 1]);
    },
  );

  it(
    "resumes many at once, and returns their number",
    () => {
      let fails = true;
      return {
        app: {
          programs: {
            flaky: {
              run: async ({ attempt }: { attempt: number }) => {
                if (fails && attempt === 1) throw new Error("down");
                return { facts: {} };
              },
            },
            mend: {
              run: async () => {
                fails = false;
                return { facts: {} };
              },
            },
          } as never,
        },
        settings: {
          fileflow: {
            pipelines: [
              { code: "default", stages: [{ use: "flaky", retry: { type: "none" } }] },
              { code: "mend", stages: stagesOf("mend") },
            ],
            retryPolicy: "new",
          },
        } as never,
      };
    },
    async (server) => {
      const ids = await Promise.all(Array.from({ length: 5 }, () => server.execute()));
      for (const id of ids) await server.inStatus(id, "FAILED");
      await server.inStatus(await server.execute({ pipelineCode: "mend" }), "COMPLETED");
      const { status, body } = await server.ask("POST", "/pipelines/executions:retry", {
        body: { filter: { status: "FAILED" } },
      });
      expect([status, body.total]).toEqual([202, 5]);
      await until(
        async () => (await server.done("GET", `/admin/operations/${body.operationId}`)).state === "DONE",
      );
      for (const id of ids) await server.inStatus(id, "COMPLETED");
    },
  );
});
