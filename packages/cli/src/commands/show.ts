import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import type { Output } from "../terminal/output.ts";
import { colourOf } from "../terminal/paint.ts";
import { localTime } from "../terminal/times.ts";
import { withLines } from "../terminal/width.ts";

export const show = command({
  name: "show",
  says: {
    en: "Shows one job: its attempts, its stack trace, the decisions about it, and why it is not running",
    ko: "작업 하나의 시도, 스택 트레이스, 결정, 그리고 실행되지 않는 이유를 보여 줍니다",
  },
  example: "andon show 123",
  given: { job: { says: HELP.job } },
  async run({ given, client, out }) {
    const job = await client.jobs.show({ id: given.job });
    out.answer(job, () =>
      [facts(job, out), stages(job, out), tries(job, out), decisions(job, out), payload(job, out)]
        .filter((part) => part !== undefined)
        .join("\n\n"),
    );
    return undefined;
  },
});

type Detail = Answer<(typeof ROUTES)["jobs"]["show"]>;

function facts(job: Detail, out: Output): string {
  const { resolution, error } = job;
  return out.list([
    [out.say(WORDS.id), job.id],
    [out.say(WORDS.ticket), job.ticket],
    [out.say(WORDS.queue), job.queue],
    [out.say(WORDS.kind), job.name],
    [out.say(WORDS.state), job.state, colourOf(job.state)],
    [out.say(WORDS.why), job.why.sentence],
    [out.say(WORDS.pendingDecision), held(job, out)],
    [out.say(WORDS.stage), job.stage],
    [out.say(WORDS.mayDo), job.actions.join(", ")],
    [out.say(WORDS.errorHead), error && `${error.code}: ${error.message}`, "red"],
    [out.say(WORDS.keys), job.keys.join(", ")],
    [out.say(WORDS.tenant), job.tenantId],
    [out.say(WORDS.attempts), job.attempts],
    [out.say(WORDS.worker), job.worker],
    [out.say(WORDS.made), localTime(job.createdAt)],
    [out.say(WORDS.skippedBy), resolution && `${resolution.actor}: ${resolution.reason ?? ""}`],
  ]);
}

function held({ pendingDecision }: Detail, out: Output): string | undefined {
  if (!pendingDecision) return undefined;
  const { action, actor, appliesAt } = pendingDecision;
  return out.say(WORDS.heldDecision, { action, actor, at: localTime(appliesAt) });
}

function stages({ stages: reached = [] }: Detail, out: Output): string | undefined {
  if (reached.length === 0) return undefined;
  const rows = out.table(
    [
      { head: out.say(WORDS.stage), of: ({ name }) => name },
      { head: out.say(WORDS.state), of: ({ status }) => status, colour: ({ status }) => colourOf(status) },
      { head: out.say(WORDS.attempts), of: ({ attempts }) => attempts, side: "right" },
      { head: "ms", of: ({ elapsedMs }) => elapsedMs, side: "right" },
      { head: out.say(WORDS.at), of: ({ startedAt }) => startedAt && localTime(startedAt) },
    ],
    reached,
  );
  return `${out.paint("bold", out.say(WORDS.stagesHead))}\n${rows}`;
}

function tries({ history }: Detail, out: Output): string | undefined {
  if (history.length === 0) return undefined;
  const rows = out.table(
    [
      { head: "#", of: ({ number }) => number, side: "right" },
      {
        head: out.say(WORDS.outcome),
        of: ({ outcome }) => outcome,
        colour: ({ outcome }) => colourOf(outcome),
      },
      { head: out.say(WORDS.at), of: ({ finishedAt }) => localTime(finishedAt) },
      { head: out.say(WORDS.worker), of: ({ worker }) => worker, isLong: true },
      {
        head: out.say(WORDS.errorHead),
        of: ({ code, message }) => code && `${code}: ${message}`,
        isLong: true,
      },
    ],
    history,
  );
  const stack = history.findLast((attempt) => attempt.stack !== null)?.stack;
  return `${out.paint("bold", out.say(WORDS.triesHead))}\n${rows}${stack ? `\n${out.paint("dim", withLines(stack))}` : ""}`;
}

function decisions({ audit }: Detail, out: Output): string | undefined {
  if (audit.length === 0) return undefined;
  const rows = out.table(
    [
      { head: out.say(WORDS.at), of: ({ at }) => localTime(at) },
      { head: out.say(WORDS.action), of: ({ action }) => action },
      { head: out.say(WORDS.by), of: ({ actor }) => actor },
      { head: out.say(WORDS.reason), of: ({ reason }) => reason, isLong: true },
    ],
    audit,
  );
  return `${out.paint("bold", out.say(WORDS.decisionsHead))}\n${rows}`;
}

function payload(job: Detail, out: Output): string {
  return `${out.paint("bold", out.say(WORDS.payload))}\n${withLines(JSON.stringify(job.payload ?? null, null, 2))}`;
}
