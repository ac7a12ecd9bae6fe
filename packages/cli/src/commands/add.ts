import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { reasonOption } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";

export const add = command({
  name: "add",
  says: {
    en: "Adds a job to a queue of the configuration",
    ko: "설정에 있는 큐에 작업을 추가합니다",
  },
  example: `andon add mail --payload '{"to":"kim@example.com"}' --key kim`,
  given: { queue: { says: { en: "the queue", ko: "큐 이름" } } },
  options: {
    payload: {
      says: { en: "what the handler gets, as JSON. Default: null", ko: "핸들러가 받을 JSON. 기본값: null" },
      value: "json",
    },
    key: { says: { en: "the lane", ko: "레인 키" }, value: "key" },
    name: { says: { en: "what kind of job it is", ko: "작업 종류" }, value: "kind" },
    priority: {
      says: { en: "higher runs earlier. Default: 0", ko: "클수록 먼저 실행. 기본값: 0" },
      value: "number",
      whole: true,
      least: -1_000_000,
    },
    delay: {
      says: { en: "not before this long from now, such as 5m", ko: "지금부터 이 시간 뒤에. 예: 5m" },
      value: "duration",
    },
    idempotencyKey: {
      says: { en: "a second job with the same key is not made", ko: "같은 키의 작업은 두 번 만들지 않음" },
      value: "key",
    },
    tenant: { says: { en: "whose job it is", ko: "작업의 테넌트" }, value: "tenant" },
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
