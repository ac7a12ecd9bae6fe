import {
  command,
  EXIT,
  Failure,
  isConfirmed,
  localTime,
  needTerminal,
  type Output,
  pagingOptions,
  reasonOption,
  showPage,
  type Use,
} from "@andon/cli/app";
import type { ClientOf } from "@andon/client";
import { MISSED_POLICIES } from "@andon/contract";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { OVERLAP_POLICIES } from "../contract/states.ts";
import { DLQ, PIPELINE } from "./i18n.ts";
import { timeOrDash } from "./shown.ts";

interface Options {
  readonly pipeline: string | undefined;
  readonly cron: string | undefined;
  readonly timeZone: string | undefined;
  readonly missed: (typeof MISSED_POLICIES)[number] | undefined;
  readonly overlap: (typeof OVERLAP_POLICIES)[number] | undefined;
  readonly bucket: string | undefined;
  readonly prefix: string | undefined;
  readonly tenant: string | undefined;
  readonly org: string | undefined;
  readonly paused: boolean;
  readonly yes: boolean;
  readonly reason: string | undefined;
  readonly page: number | undefined;
  readonly limit: number | undefined;
}

interface Asked extends Pick<Use, "out" | "shell" | "language"> {
  readonly schedules: ClientOf<typeof FILEFLOW_ROUTES>["pipelineSchedules"];
  readonly options: Options;
}

/** The actions on one schedule. */
const WITH_ONE: Readonly<Record<string, (id: string, asked: Asked) => Promise<number | undefined>>> = {
  async preview(id, { schedules, out }) {
    const answer = await schedules.preview({ id });
    out.answer(answer, () => nextRuns(out, answer));
    return undefined;
  },
  async pause(id, { schedules, out, options: { reason } }) {
    const answer = await schedules.change({ id, isActive: false, reason });
    out.answer(answer, () => out.say(PIPELINE.pausedNow, { id }));
    return undefined;
  },
  async resume(id, { schedules, out, options: { reason } }) {
    const answer = await schedules.change({ id, isActive: true, reason });
    out.answer(answer, () => `${out.say(PIPELINE.activeNow, { id })}\n${nextRuns(out, answer)}`);
    return undefined;
  },
  async run(id, { schedules, out, options: { reason } }) {
    const answer = await schedules.run({ id, reason });
    const { executionId: execution } = answer;
    out.answer(answer, () =>
      execution === null ? out.say(PIPELINE.ran, { id }) : out.say(PIPELINE.ranOne, { id, execution }),
    );
    return undefined;
  },
  async delete(id, { schedules, out, shell, language, options }) {
    if (!options.yes) {
      needTerminal({ shell });
      const { pipelineCode: pipeline, cron } = await schedules.show({ id });
      out.aside(out.say(PIPELINE.deleteWhich, { id, pipeline, cron }));
      if (!(await isConfirmed({ shell, language }))) {
        out.note(PIPELINE.nothingDone);
        return EXIT.refused;
      }
    }
    const answer = await schedules.remove({ id });
    out.answer(answer, () => out.say(PIPELINE.deleted, { id }));
    return undefined;
  },
};

const ACTIONS = ["list", "add", ...Object.keys(WITH_ONE)];

export const pipelineSchedules = command({
  name: "pipeline schedules",
  says: {
    en: "Lists schedules of pipelines; adds, previews, pauses, resumes, runs or deletes one",
    ko: "파이프라인 스케줄을 보여 주고, 만들거나 미리 보거나 일시 중지, 재개, 즉시 실행, 삭제합니다",
  },
  example:
    'andon pipeline schedules add --pipeline default --cron "0 3 * * *" --time-zone Asia/Seoul --bucket demo',
  given: {
    action: { says: PIPELINE.scheduleAction, optional: true, choices: ACTIONS },
    id: { says: PIPELINE.scheduleId, optional: true },
  },
  options: {
    pipeline: { says: { en: "the pipeline (add)", ko: "파이프라인 (add)" }, value: "code" },
    cron: {
      says: { en: "minute, hour, day, month, weekday (add)", ko: "분, 시, 일, 월, 요일 (add)" },
      value: "cron",
    },
    timeZone: { says: { en: "an IANA time zone (add)", ko: "IANA 시간대 (add)" }, value: "zone" },
    missed: {
      says: {
        en: "what happens to missed times (add; default: once)",
        ko: "놓친 시각의 처리 (add, 기본값: once)",
      },
      value: "policy",
      choices: MISSED_POLICIES,
    },
    overlap: {
      says: {
        en: "what happens at a due time while an earlier run has not ended (add; default: skip)",
        ko: "이전 실행이 끝나지 않았을 때의 처리 (add, 기본값: skip)",
      },
      value: "policy",
      choices: OVERLAP_POLICIES,
    },
    bucket: {
      says: {
        en: "one execution per object of this bucket (add). Default: one execution without an object",
        ko: "이 버킷의 오브젝트마다 실행 하나 (add). 기본값: 오브젝트 없이 실행 하나",
      },
      value: "bucket",
    },
    prefix: {
      says: {
        en: "only objects whose key begins with this (add)",
        ko: "키가 이것으로 시작하는 오브젝트만 (add)",
      },
      value: "prefix",
    },
    tenant: {
      says: { en: "the tenant of its executions (add)", ko: "실행의 테넌트 (add)" },
      value: "tenant",
    },
    org: {
      says: { en: "the organisation of its executions (add)", ko: "실행의 조직 (add)" },
      value: "organisation",
    },
    paused: { says: { en: "create it paused (add)", ko: "일시 중지 상태로 만듦 (add)" } },
    yes: { says: DLQ.yes },
    ...reasonOption,
    ...pagingOptions,
  },
  async run({ given, options, clientOf, out, shell, language }) {
    const asked = { schedules: clientOf(FILEFLOW_ROUTES).pipelineSchedules, options, out, shell, language };
    const { action = "list", id } = given;
    if (action === "list") return list(asked);
    if (action === "add") return add(asked);
    if (id === undefined) throw new Failure(EXIT.usage, PIPELINE.scheduleIdMissing);
    return WITH_ONE[action]?.(id, asked);
  },
});

async function list({ schedules, options: { page, limit }, out }: Asked): Promise<undefined> {
  showPage(out, await schedules.list({ page, limit }), [
    { head: out.say(PIPELINE.schedule), of: ({ id }) => id, isKept: true },
    { head: out.say(PIPELINE.code), of: ({ pipelineCode }) => pipelineCode },
    { head: out.say(PIPELINE.cron), of: ({ cron }) => cron },
    { head: out.say(PIPELINE.zone), of: ({ timeZone }) => timeZone },
    {
      head: out.say(PIPELINE.next),
      of: ({ isActive, nextExecutionAt }) =>
        isActive ? timeOrDash(nextExecutionAt) : out.say(PIPELINE.paused),
      colour: ({ isActive }) => (isActive ? undefined : "yellow"),
    },
    {
      head: out.say(PIPELINE.input),
      of: ({ input }) => input && `${input.bucket}/${input.prefix}`,
      isLong: true,
    },
  ]);
}

async function add({ schedules, options, out }: Asked): Promise<undefined> {
  const { pipeline, cron, timeZone, missed, overlap, bucket, prefix = "", tenant, org, paused } = options;
  if (pipeline === undefined || cron === undefined || timeZone === undefined)
    throw new Failure(EXIT.usage, PIPELINE.scheduleAdd);
  const answer = await schedules.add({
    pipelineCode: pipeline,
    cron,
    timeZone,
    isActive: !paused,
    missed,
    overlap,
    ...(bucket === undefined ? {} : { input: { bucket, prefix } }),
    tenantId: tenant,
    organizationId: org,
  });
  out.answer(answer, () => `${out.say(PIPELINE.madeSchedule, { id: answer.id })}\n${nextRuns(out, answer)}`);
}

function nextRuns(
  out: Output,
  { timeZone, nextRuns: runs }: { timeZone: string; nextRuns: string[] },
): string {
  if (runs.length === 0) return out.say(PIPELINE.noNext);
  const form = { timeZone, dateStyle: "short", timeStyle: "long" } as const;
  // The Swedish locale formats dates like ISO 8601. When a clock goes back, the offset distinguishes the two equal hours.
  const inZone = new Intl.DateTimeFormat("sv-SE", form);
  const lines = runs.map((at) => `  ${inZone.format(new Date(at))}  (${localTime(at)})`);
  return [out.say(PIPELINE.nextOf, { zone: timeZone }), ...lines].join("\n");
}
