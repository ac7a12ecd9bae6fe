import { command, localTime, type Output, pageNote } from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { PIPELINE } from "./i18n.ts";
import { colourOf, type Execution, errorOf, objectOf, timeOrDash, tookOf } from "./shown.ts";

const given = { id: { says: PIPELINE.executionId } } as const;
const EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000000";

export const pipelineShow = command({
  name: "pipeline show",
  says: {
    en: "Shows one execution: its stages, times, trace, retries and why it failed",
    ko: "실행 하나의 단계, 시각, 트레이스, 재시도, 실패 원인을 보여 줍니다",
  },
  example: `andon pipeline show ${EXAMPLE_ID}`,
  given,
  async run({ given: { id }, clientOf, out }) {
    const execution = await clientOf(FILEFLOW_ROUTES).executions.show({ id });
    out.answer(execution, () => `${factsOf(out, execution)}\n\n${stagesOf(out, execution)}`);
    return undefined;
  },
});

export const pipelineLogs = command({
  name: "pipeline logs",
  says: { en: "Shows the log of an execution by stage", ko: "실행의 로그를 단계별로 보여 줍니다" },
  example: `andon pipeline logs ${EXAMPLE_ID}`,
  given,
  async run({ given: { id }, clientOf, out }) {
    const answer = await clientOf(FILEFLOW_ROUTES).executions.logs({ id });
    const rows = answer.stages.flatMap(({ name, entries }) => entries.map((entry) => ({ name, ...entry })));
    out.answer(answer, () =>
      out.table(
        [
          { head: out.say(PIPELINE.at), of: ({ at }) => localTime(at) },
          { head: out.say(PIPELINE.stage), of: ({ name }) => name },
          { head: out.say(PIPELINE.attempts), of: ({ attempt }) => attempt, side: "right" },
          { head: out.say(PIPELINE.level), of: ({ level }) => level, colour: ({ level }) => colourOf(level) },
          {
            head: out.say(PIPELINE.message),
            of: ({ code, message }) => (code === null ? message : `${code} ${message}`),
            isLong: true,
          },
        ],
        rows,
      ),
    );
    return undefined;
  },
});

export const pipelineExtractions = command({
  name: "pipeline extractions",
  says: {
    en: "Shows what the stages of an execution extracted, with its text",
    ko: "실행의 단계가 추출한 결과를 텍스트와 함께 보여 줍니다",
  },
  example: `andon pipeline extractions ${EXAMPLE_ID}`,
  given,
  async run({ given: { id }, clientOf, out }) {
    const page = await clientOf(FILEFLOW_ROUTES).executions.extractions({ id, limit: 100 });
    out.answer(page, () => {
      const parts = page.items.map(({ id: key, extractionType, stage, method, confidence, text, isCut }) => {
        const facts = out.list([
          [out.say(PIPELINE.found), extractionType],
          [out.say(PIPELINE.stage), stage],
          [out.say(PIPELINE.method), method],
          [out.say(PIPELINE.confidence), confidence],
        ]);
        const address = `/pipelines/extractions/${encodeURIComponent(key)}/content`;
        return [
          facts,
          ...(text === null ? [] : [text]),
          ...(isCut ? [out.say(PIPELINE.cut, { address })] : []),
        ].join("\n");
      });
      if (parts.length === 0) return out.table([], []);
      return [...parts, ...pageNote(out, page)].join("\n\n");
    });
    return undefined;
  },
});

function factsOf(out: Output, execution: Execution): string {
  const { cancel } = execution;
  return out.list([
    [out.say(PIPELINE.execution), execution.executionId],
    [out.say(PIPELINE.status), execution.status, colourOf(execution.status)],
    [out.say(PIPELINE.error), errorOf(execution.error), "red"],
    [out.say(PIPELINE.object), objectOf(execution)],
    [out.say(PIPELINE.file), execution.fileId],
    [out.say(PIPELINE.type), execution.mimeType],
    [out.say(PIPELINE.size), execution.size],
    [out.say(PIPELINE.tenant), execution.tenantId],
    [out.say(PIPELINE.organization), execution.organizationId],
    [out.say(PIPELINE.code), execution.pipelineCode],
    [out.say(PIPELINE.trigger), execution.triggerType],
    [out.say(PIPELINE.created), timeOrDash(execution.createdAt)],
    [out.say(PIPELINE.started), timeOrDash(execution.startedAt)],
    [out.say(PIPELINE.ended), timeOrDash(execution.completedAt)],
    [out.say(PIPELINE.took), tookOf(execution.durationMs)],
    [out.say(PIPELINE.trace), execution.traceUrl ?? execution.traceId],
    [out.say(PIPELINE.key), execution.idempotencyKey],
    [out.say(PIPELINE.retryOf), execution.retryOf],
    [out.say(PIPELINE.retriedAs), execution.retriedAs],
    [out.say(PIPELINE.cancel), cancel && `${cancel.by}, ${localTime(cancel.at)}: ${cancel.reason ?? "-"}`],
  ]);
}

function stagesOf(out: Output, { stages }: Execution): string {
  return out.table(
    [
      { head: out.say(PIPELINE.stage), of: ({ name }) => name },
      {
        head: out.say(PIPELINE.status),
        of: ({ status }) => status,
        colour: ({ status }) => colourOf(status),
      },
      { head: out.say(PIPELINE.attempts), of: ({ attempts }) => attempts, side: "right" },
      { head: out.say(PIPELINE.started), of: ({ startedAt }) => timeOrDash(startedAt) },
      { head: out.say(PIPELINE.took), of: ({ durationMs }) => tookOf(durationMs), side: "right" },
      {
        head: out.say(PIPELINE.found),
        of: ({ error, reason, output }) =>
          errorOf(error) ?? reason ?? (output === null ? null : JSON.stringify(output)),
        isLong: true,
      },
    ],
    stages,
  );
}
