import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { reasonOption } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";
import { onOneLine } from "../terminal/width.ts";

export const undo = command({
  name: "undo",
  says: {
    en: "Undoes a skip or cancel of a job that is held back and not applied yet (`decisions.undoWindow`)",
    ko: "아직 적용되지 않은 건너뛰기나 취소를 되돌립니다 (`decisions.undoWindow`)",
  },
  example: 'andon undo 123 --reason "the wrong job"',
  given: { job: { says: HELP.job } },
  options: reasonOption,
  async run({ given: { job }, options: { reason }, client, out }) {
    const { ticket, pendingDecision } = await client.jobs.show({ id: job });
    if (!pendingDecision) throw new Failure(EXIT.conflict, WORDS.nothingHeldBack, { job: ticket });
    const answer = await client.decisions.undo({ id: pendingDecision.id, reason });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});
