import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { queueArgument, queueOf } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { localTime } from "../terminal/times.ts";

export const certificate = command({
  name: "certificate",
  says: {
    en: "Shows the certificate of a stop, checked against the event feed and the claim log; ends with 1 if a job started after the stop",
    ko: "정지 증명서를 이벤트 피드, 점유 로그와 대조해 보여 줍니다. 정지한 뒤에 시작된 작업이 있으면 종료 코드 1",
  },
  example: "andon certificate 0198c0de-0000-7000-8000-000000000000 {queue}",
  given: {
    stop: { says: { en: "the stop's id, as `andon stops` shows it", ko: "정지 기록 ID (`andon stops`)" } },
    ...queueArgument,
  },
  async run({ defaultQueue, given, client, out }) {
    const answer = await client.stops.certificate({
      queue: queueOf({ defaultQueue }, given.queue),
      stopId: given.stop,
    });
    const { certificate: stop, holds, inFeed, violations } = answer;
    out.answer(answer, () => {
      const broken = { count: violations.length, inFeed: String(inFeed) };
      const verdict = holds ? out.say(WORDS.certificateHolds) : out.say(WORDS.certificateBroken, broken);
      return out.list([
        [out.say(WORDS.holds), verdict, holds ? "green" : "red"],
        [out.say(WORDS.queue), stop.queue],
        [out.say(WORDS.stoppedAt), localTime(stop.at)],
        [out.say(WORDS.stoppedBy), stop.actor],
        [out.say(WORDS.stopReason), stop.reason],
        [out.say(WORDS.failedJob), stop.jobId],
        [out.say(WORDS.errorHead), stop.error && `${stop.error.code}: ${stop.error.message}`, "red"],
        [out.say(WORDS.epoch), stop.epoch],
        [out.say(WORDS.lastStarted), stop.lastStarted?.jobId],
        [out.say(WORDS.inFlight), stop.inFlight.map(({ jobId }) => jobId).join(", ")],
        [out.say(WORDS.resumed), stop.resumedAt && `${localTime(stop.resumedAt)} ${stop.resumedBy ?? ""}`],
      ]);
    });
    return holds ? EXIT.ok : EXIT.refused;
  },
});
