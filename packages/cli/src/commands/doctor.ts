import type { Finding } from "../doctor/check.ts";
import { CHECKS } from "../doctor/checks.ts";
import { gatherInput } from "../doctor/gather-input.ts";
import { FOUND } from "../i18n/doctor.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { describeError } from "../terminal/failures.ts";
import { colourOf } from "../terminal/paint.ts";

export const doctor = command({
  name: "doctor",
  says: {
    en: "Checks settings, store, clocks, workers, stopped queues, failed deliveries of alerts, disk space, and what the apps need; ends with 1 if a check fails",
    ko: "설정, 저장소, 시계, 워커, 정지된 큐, 실패한 알림 전송, 디스크, 앱에 필요한 것을 점검합니다. 통과하지 못한 항목이 있으면 종료 코드 1",
  },
  example: "andon doctor",
  async run(use) {
    const { out, language, apps } = use;
    const checks = [...CHECKS, ...apps.flatMap(({ doctor = [] }) => doctor)];
    const input = await gatherInput(use);
    const rows: { check: string; level: Finding["level"]; what: string; todo: string | null }[] = [];
    for (const { name, run } of checks) {
      const findings = await run(input).catch((error: unknown): Finding[] => {
        const problem = describeError(error, language, input.connection.url).message;
        return [{ level: "bad", what: FOUND.checkFailed, facts: { problem } }];
      });
      for (const { level, what, facts, todo } of findings) {
        rows.push({
          check: name,
          level,
          what: out.say(what, facts),
          todo: todo ? out.say(todo, facts) : null,
        });
      }
    }
    const isWell = rows.every(({ level }) => level !== "bad");
    out.answer({ well: isWell, findings: rows }, () =>
      out.table(
        [
          { head: out.say(FOUND.check), of: ({ check }) => check },
          { head: out.say(WORDS.state), of: ({ level }) => level, colour: ({ level }) => colourOf(level) },
          { head: out.say(FOUND.found), of: ({ what }) => what, isLong: true },
          { head: out.say(FOUND.todo), of: ({ todo }) => todo ?? "", isLong: true },
        ],
        rows,
      ),
    );
    return isWell ? EXIT.ok : EXIT.refused;
  },
});
