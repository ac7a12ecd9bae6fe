import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import {
  laneTenantOption,
  queueOf,
  queueOption,
  reasonOption,
  reasonRequired,
} from "../terminal/common-options.ts";
import { writeAnswer } from "../terminal/follow.ts";
import { onOneLine } from "../terminal/width.ts";

const given = { key: { says: HELP.laneKey } } as const;

export const laneHold = command({
  name: "lane hold",
  says: {
    en: "Holds a lane: no further job of it starts until it is released",
    ko: "레인을 보류합니다. 해제할 때까지 그 레인의 작업은 시작되지 않습니다",
  },
  example: 'andon lane hold file:42 --queue {queue} --reason "looking into it"',
  given,
  options: { ...queueOption, ...laneTenantOption, ...reasonOption },
  async run({ defaultQueue, given: { key }, options, client, out }) {
    const { reason, tenant: tenantId } = options;
    const queue = queueOf({ defaultQueue }, options.queue);
    const answer = await client.lanes.hold({ queue, key, tenantId, reason });
    out.answer(answer, () => onOneLine(answer.message));
    // A mistyped key creates a new lane while the intended lane continues: warn when no job has the key.
    if (!out.isJson && (await client.jobs.list({ queue, key, tenantId, limit: 1 })).total === 0)
      out.line(out.say(WORDS.laneNew));
    return undefined;
  },
});

export const laneRelease = command({
  name: "lane release",
  says: {
    en: "Opens a lane that a person holds; a lane that a failed job holds opens when that job is retried or skipped",
    ko: "사람이 보류한 레인을 엽니다. 실패로 보류된 레인은 실패한 작업을 재시도하거나 건너뛰면 열립니다",
  },
  example: "andon lane release file:42 --queue {queue}",
  given,
  options: { ...queueOption, ...laneTenantOption, ...reasonOption },
  async run({ defaultQueue, given: { key }, options, client, out }) {
    const { reason, tenant: tenantId } = options;
    const queue = queueOf({ defaultQueue }, options.queue);
    const answer = await client.lanes.release({ queue, key, tenantId, reason });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});

export const laneCancelRest = command({
  name: "lane cancel-rest",
  says: { en: "Cancels the waiting jobs of a lane", ko: "레인에서 대기 중인 작업을 모두 취소합니다" },
  example: 'andon lane cancel-rest file:42 --queue {queue} --reason "file was deleted"',
  given,
  options: { ...queueOption, ...laneTenantOption, ...reasonRequired },
  async run(use) {
    const { options, client } = use;
    const { key } = use.given;
    const { reason, tenant: tenantId } = options;
    const queue = queueOf(use, options.queue);
    const answer = await client.lanes.cancelRest({ queue, key, tenantId, reason });
    return writeAnswer(use, answer);
  },
});
