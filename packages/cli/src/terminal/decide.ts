import { type Answer, RefusedError } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { heldDecision } from "@andon/contract/wire";
import type { Use } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { describeError, type ErrorDescription } from "./failures.ts";
import { heldBackText } from "./held-back.ts";
import type { Output } from "./output.ts";
import { colourOf } from "./paint.ts";
import { onOneLine } from "./width.ts";

/** The answer of the job's route or of the queue's route. */
type Decided =
  | Answer<(typeof ROUTES)["jobs"]["retry"]>
  | { readonly jobId: string; readonly message: string; readonly pendingDecision?: unknown };

/**
 * Makes the same decision about each job. A refusal of one job does not stop the others; the exit code is that of the first
 * refusal. As JSON, one job gives its answer; several give a list of answers, with the problem of each refused job.
 */
export async function decideEach(
  { out, connection, language }: Pick<Use, "out" | "connection" | "language">,
  jobs: readonly string[],
  decide: (id: string) => Promise<Decided>,
): Promise<number> {
  const decided: Decided[] = [];
  const answers: unknown[] = [];
  const refusals: ErrorDescription[] = [];
  const progress = out.progress(jobs.length);
  try {
    for (const id of jobs) {
      try {
        const answer = await decide(id);
        decided.push(answer);
        answers.push(answer);
      } catch (error) {
        if (jobs.length === 1 || !(error instanceof RefusedError) || !error.problem) throw error;
        refusals.push(describeError(error, language, connection.url));
        answers.push(error.problem);
      }
      progress.advance();
    }
  } finally {
    // Decisions made before the connection broke or before Ctrl-C are final, so they are always printed.
    progress.end();
    if (out.isJson && answers.length > 0) out.answer(jobs.length === 1 ? answers[0] : answers, String);
    if (!out.isJson) for (const answer of decided) out.line(lineOf(answer, out));
    for (const refusal of refusals) out.failure(refusal);
  }
  return refusals[0]?.exitCode ?? EXIT.ok;
}

function lineOf(answer: Decided, out: Output): string {
  const { message } = answer;
  const ticket = "jobId" in answer ? answer.jobId : answer.ticket;
  const held = "pendingDecision" in answer ? heldDecision.safeParse(answer.pendingDecision).data : undefined;
  const text = held ? heldBackText({ ...held, jobId: ticket }, out) : onOneLine(message);
  return "state" in answer
    ? `${ticket}  ${out.paint(colourOf(answer.state), answer.state)}  ${text}`
    : `${ticket}  ${text}`;
}
