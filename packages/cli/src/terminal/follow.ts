import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import type { Use } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { sleep } from "./sleep.ts";
import { onOneLine } from "./width.ts";

type Operation = Answer<(typeof ROUTES)["operations"]["show"]>;
type Accepted = { readonly operationId: string; readonly total: number; readonly done: number };
type Decided<A> = Exclude<A, Accepted> & { readonly message: string };

const LOOK_EVERY_MS = 500;

/** Waits for the end of a decision over many jobs, writes its answer and returns the exit code. */
export async function writeAnswer<A extends Accepted | { readonly message: string }>(
  use: Pick<Use, "client" | "out" | "shell">,
  answer: A,
  more: (answer: Decided<A>) => readonly string[] = () => [],
): Promise<number | undefined> {
  const ended = await endOf(use, answer);
  use.out.answer(ended, () =>
    [endedText(use.out, ended), ...("message" in ended ? more(ended) : [])].join("\n"),
  );
  return isComplete(ended) ? undefined : EXIT.refused;
}

/** Whether the work was completed: an operation can also fail or be cancelled. */
export function isComplete(ended: { readonly message: string } | Operation): boolean {
  return "message" in ended || ended.state === "DONE";
}

/** The answer, or the ended operation if the server answered with one. Shows progress; Ctrl-C ends the wait, not the operation. */
export async function endOf<A extends Accepted | { readonly message: string }>(
  { client, out, shell }: Pick<Use, "client" | "out" | "shell">,
  answer: A,
): Promise<Decided<A> | Operation> {
  if (!("operationId" in answer)) return answer as Decided<A>;
  const signal = shell.interruption();
  const progress = out.progress(answer.total);
  try {
    for (;;) {
      const operation = await client.operations.show({ id: answer.operationId }, { signal });
      progress.at(operation.done + operation.leftOut.count);
      if (operation.state !== "RUNNING") {
        return operation;
      }
      await sleep(LOOK_EVERY_MS, signal);
    }
  } catch (error) {
    progress.end();
    if (signal.aborted) out.note(WORDS.operationGoesOn, { id: answer.operationId });
    throw error;
  } finally {
    progress.end();
  }
}

export function endedText(out: Use["out"], ended: { readonly message: string } | Operation): string {
  if ("message" in ended) return onOneLine(ended.message);
  const { state, done, total, leftOut, problem } = ended;
  const lines = [out.say(WORDS.operationEnded, { done, total })];
  if (leftOut.count > 0) lines.push(out.say(WORDS.operationLeftOut, { count: leftOut.count }));
  if (state === "CANCELLED") lines.push(out.say(WORDS.operationCancelled));
  if (state === "FAILED") lines.push(out.say(WORDS.operationFailed, { problem: onOneLine(problem ?? "") }));
  return lines.join("\n");
}
