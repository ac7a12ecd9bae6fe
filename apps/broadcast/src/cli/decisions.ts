import { command, EXIT, Failure, reasonOption } from "@andon/cli/app";
import { BROADCAST_ROUTES } from "../contract/routes.ts";
import { BULK } from "./i18n.ts";
import { throttleText } from "./shown-job.ts";

const given = { id: { says: BULK.jobId } } as const;
const EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000000";

export const bulkAbort = command({
  name: "bulk abort",
  says: {
    en: "Aborts a bulk job at the end of its current chunk; it can be resumed from there",
    ko: "대량 작업을 현재 청크가 끝날 때 중단합니다. 그 지점부터 재개할 수 있습니다",
  },
  example: `andon bulk abort ${EXAMPLE_ID} --reason "database under load"`,
  given,
  options: reasonOption,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(BROADCAST_ROUTES).bulkJobs.abort({ id, reason });
    const { state, stopsWithinMs, recorded } = answer;
    const seconds = Math.ceil(stopsWithinMs / 1_000);
    out.answer(answer, () =>
      out.say(stopsWithinMs > 0 ? BULK.willAbort : BULK.resumed, { id, state, seconds }),
    );
    if (!recorded) out.note(BULK.notRecorded);
    return undefined;
  },
});

export const bulkResume = command({
  name: "bulk resume",
  says: {
    en: "Resumes an aborted or failed bulk job from its cursor, behind the other jobs of its category",
    ko: "중단되었거나 실패한 대량 작업을 커서부터 재개합니다. 같은 카테고리의 다른 작업 뒤에서 기다립니다",
  },
  example: `andon bulk resume ${EXAMPLE_ID}`,
  given,
  options: reasonOption,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(BROADCAST_ROUTES).bulkJobs.resume({ id, reason });
    out.answer(answer, () => out.say(BULK.resumed, answer));
    return undefined;
  },
});

export const bulkThrottle = command({
  name: "bulk throttle",
  says: {
    en: "Changes how fast a bulk job may go, also while it runs",
    ko: "대량 작업의 속도 제한을 바꿉니다. 처리 중에도 적용됩니다",
  },
  example: `andon bulk throttle ${EXAMPLE_ID} --max-per-second 500`,
  given,
  options: {
    pause: {
      says: { en: "pause after each chunk, in ms", ko: "청크마다 쉬는 시간(ms)" },
      value: "ms",
      whole: true,
      least: 0,
    },
    maxPerSecond: {
      says: { en: "most recipients per second", ko: "초당 최대 수신자 수" },
      value: "number",
      whole: true,
    },
    unlimited: { says: { en: "remove the limit per second", ko: "초당 제한을 없앰" } },
    ...reasonOption,
  },
  async run({ given: { id }, options, clientOf, out }) {
    const { pause, maxPerSecond, unlimited, reason } = options;
    const throttle = {
      ...(pause === undefined ? {} : { pauseMs: pause }),
      ...(unlimited ? { maxPerSecond: null } : maxPerSecond === undefined ? {} : { maxPerSecond }),
    };
    if (Object.keys(throttle).length === 0) throw new Failure(EXIT.usage, BULK.nothingToChange);
    const job = await clientOf(BROADCAST_ROUTES).bulkJobs.change({ id, throttle, reason });
    out.answer(job, () => out.say(BULK.throttled, { id, throttle: throttleText(out, job.throttle) }));
    return undefined;
  },
});

export const bulkDelete = command({
  name: "bulk delete",
  says: {
    en: "Deletes a bulk job that is not running; its notifications stay",
    ko: "처리 중이 아닌 대량 작업을 삭제합니다. 알림은 남습니다",
  },
  example: `andon bulk delete ${EXAMPLE_ID}`,
  given,
  options: reasonOption,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(BROADCAST_ROUTES).bulkJobs.remove({ id, reason });
    out.answer(answer, () => out.say(BULK.deleted, { id }));
    return undefined;
  },
});
