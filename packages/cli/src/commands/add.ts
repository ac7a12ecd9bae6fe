import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { reasonOption } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";

export const add = command({
  name: "add",
  says: {
    en: "Adds a job to a queue of the setting `queues`",
    ko: "설정 `queues`에 있는 큐에 작업을 추가합니다",
  },
  example: `andon add mail --payload '{"to":"kim@example.com"}' --key kim`,
  given: { queue: { says: { en: "the queue", ko: "큐 이름" } } },
  options: {
    payload: {
      says: { en: "what the handler gets, as JSON. Default: null", ko: "핸들러가 받을 JSON. 기본값: null" },
      value: "json",
    },
    key: { says: { en: "the key of its lane. Default: none", ko: "레인 키. 기본값: 없음" }, value: "key" },
    name: {
      says: { en: "the kind of job. Default: the queue's name", ko: "작업 종류. 기본값: 큐 이름" },
      value: "kind",
    },
    priority: {
      says: { en: "higher runs earlier. Default: 0", ko: "클수록 먼저 실행. 기본값: 0" },
      value: "number",
      whole: true,
      least: -1_000_000,
    },
    delay: {
      says: {
        en: "not before this long from now, such as 5m",
        ko: "지금부터 이 시간이 지난 뒤에 실행. 예: 5m",
      },
      value: "duration",
    },
    idempotencyKey: {
      says: { en: "a second job with the same key is not added", ko: "같은 키의 작업은 두 번 추가하지 않음" },
      value: "key",
    },
    tenant: {
      says: {
        en: "the tenant of the job. Default: the caller's tenant, else default",
        ko: "작업의 테넌트. 기본값: 호출자의 테넌트, 없으면 default",
      },
      value: "tenant",
    },
    ...reasonOption,
  },
  async run({ given, options, client, out }) {
    const { payload, tenant, ...rest } = options;
    const answer = await client.queues.add({
      queue: given.queue,
      ...rest,
      ...(payload === undefined ? {} : { payload: jsonIn(payload) }),
      ...(tenant === undefined ? {} : { tenantId: tenant }),
    });
    const { ticket, created } = answer;
    out.answer(answer, () => out.say(created ? WORDS.jobAdded : WORDS.jobKnown, { ticket }));
    return undefined;
  },
});

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(EXIT.usage, WORDS.payloadWrong, { problem: (error as Error).message });
  }
}
