import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import { roughTime } from "./times.ts";
import { onOneLine } from "./width.ts";

type Rehearsal = Answer<(typeof ROUTES)["queues"]["rehearse"]>;
type Next = Rehearsal["next"][number];

const passes = ({ checks }: Next) => checks.every(({ ok }) => ok);

/** The result of a rehearsal, for the person who decides about the resume. */
export function rehearsalView(rehearsal: Rehearsal, out: Output): string {
  const { destination, next, estimatedMs } = rehearsal;
  const time =
    estimatedMs === null
      ? out.say(WORDS.timeUnknown)
      : out.say(WORDS.roughly, { time: roughTime(estimatedMs, out.language) });
  const facts = out.list([
    [
      out.say(WORDS.destination),
      destinationText(destination, out),
      destination.ok === false ? "red" : undefined,
    ],
    [out.say(WORDS.timeToEmpty), time],
  ]);
  const isAway = destination.ok === false;
  const lines = next.length === 0 ? out.say(WORDS.nothingWaits) : out.table(columns(out, isAway), next);
  const failing = next.filter((job) => !passes(job)).length;
  const warning = isAway
    ? out.say(WORDS.allFailAgain)
    : out.say(WORDS.someWillFail, { count: failing, next: next.length });
  const isGood = failing === 0 && !isAway;
  return [facts, lines, ...(isGood ? [] : [out.paint("red", warning)])].join("\n\n");
}

function destinationText({ ok, latencyMs, problem }: Rehearsal["destination"], out: Output): string {
  if (ok === null) return out.say(WORDS.destinationUnasked);
  return ok
    ? out.say(WORDS.destinationOk, { ms: latencyMs ?? 0 })
    : out.say(WORDS.destinationAway, { problem: onOneLine(problem ?? "") });
}

/** A job that will fail shows only its failed checks. A job that was not checked is not marked as good. */
function columns(out: Output, isAway: boolean) {
  const isUnchecked = (job: Next) => passes(job) && (job.checks.length === 0 || isAway);
  const told = (job: Next) => (passes(job) ? job.checks : job.checks.filter(({ ok }) => !ok));
  return [
    { head: out.say(WORDS.ticket), of: ({ jobId }: Next) => jobId },
    {
      head: "",
      of: (job: Next) => (isUnchecked(job) ? "–" : passes(job) ? "✓" : "✗"),
      colour: (job: Next) => (isUnchecked(job) ? "dim" : passes(job) ? "green" : "red"),
    },
    {
      head: out.say(WORDS.checks),
      of: (job: Next) =>
        told(job)
          .map(({ name, detail }) => onOneLine(detail ?? name))
          .join("; ") || out.say(WORDS.noChecks),
      isLong: true,
    },
  ] as const satisfies Parameters<typeof out.table<Next>>[0];
}
