import type { RefusedError } from "@andon/client";
import { JOB_STATES, type JobState } from "@andon/contract";
import type { Words } from "../i18n/en.ts";
import { isJobId } from "../job/job-ticket.tsx";

/** The text of a refusal, and the ids of the jobs in it. */
export interface Refusal {
  readonly text: string;
  readonly jobIds: readonly string[];
}

type Details = Readonly<Record<string, unknown>>;

/**
 * The text of a refusal with the console's words, because states and decisions are codes in the API. An answer of something
 * other than the server is shown only by its status.
 */
export function refusalOf({ code, message, problem, status }: RefusedError, words: Words): Refusal {
  const { problem: say } = words;
  if (!problem) return { text: say.foreign(status), jobIds: [] };
  const details = (problem.details ?? {}) as Details;
  const jobIds = isJobId(details.job) ? [details.job] : [];
  if (code === "JOB_STATE") return { text: jobState(details, words) ?? message, jobIds };
  if (code === "PLAN_USED") return { text: say.planUsed[String(details.state)] ?? message, jobIds };
  return { text: message, jobIds };
}

function jobState({ job, state, event, allowed }: Details, words: Words): string | undefined {
  const verb = words.problem.verb[String(event)];
  const from = String(allowed).split(", ");
  if (!isState(state) || verb === undefined || !from.every(isState)) return undefined;
  return words.problem.jobState({
    job: String(job),
    state: words.state[state],
    verb,
    allowed: from.map((each) => words.state[each]).join(", "),
  });
}

function isState(state: unknown): state is JobState {
  return JOB_STATES.some((each) => each === state);
}
