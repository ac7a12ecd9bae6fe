import type { Finding } from "../doctor/check.ts";
import { CHECKS } from "../doctor/checks.ts";
import { examine } from "../doctor/examine.ts";
import { command } from "../kit/command.ts";
import { EXIT } from "../kit/exit-codes.ts";
import { toldOf } from "../kit/failures.ts";
import { colourOf } from "../kit/paint.ts";
import { FOUND } from "../words/doctor.ts";
import { WORDS } from "../words/words.ts";

export const doctor = command({
  name: "doctor",
  says: {
    en: "Looks for what is wrong: settings, store, clocks, cache and NAS, workers, stopped queues, failing deliveries, disk; ends with 1 if something is bad",
    ko: "설정, 저장소, 시계, 캐시와 NAS, 워커, 정지된 큐, 실패한 전송, 디스크의 문제를 찾습니다. 나쁜 것이 있으면 종료 코드 1",
  },
  example: "andon doctor",
  async run(use) {
    const { out, language } = use;
    const patient = await examine(use);
    const rows: { check: string; level: Finding["level"]; what: string; todo: string | null }[] = [];
    for (const { name, look } of CHECKS) {
      const findings = await look(patient).catch((error: unknown): Finding[] => {
        const problem = toldOf(error, language, patient.connection.url).message;
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
