import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../words/words.ts";
import type { Use } from "./command.ts";
import { sleep } from "./sleep.ts";
import { onOneLine } from "./width.ts";

type Operation = Answer<(typeof ROUTES)["operations"]["show"]>;
type Accepted = { readonly operationId: string; readonly total: number; readonly done: number };
type Decided<A> = Exclude<A, Accepted> & { readonly message: string };

const LOOK_EVERY_MS = 500;

/**
 * Writes the answer of a decision over many jobs. Where it goes on by itself, waits for its end with a bar, and writes the
 * operation. Ctrl-C ends the waiting, not the work.
 */
export async function writeAnswer<A extends Accepted | { readonly message: string }>(
  { client, out, shell }: Pick<Use, "client" | "out" | "shell">,
  answer: A,
  more: (answer: Decided<A>) => readonly string[] = () => [],
): Promise<void> {
  if (!("operationId" in answer)) {
    const decided = answer as Decided<A>;
    out.answer(answer, () => [onOneLine(decided.message), ...more(decided)].join("\n"));
    return;
  }
  const signal = shell.interruption();
  const progress = out.progress(answer.total);
  try {
    for (;;) {
      const operation = await client.operations.show({ id: answer.operationId }, { signal });
      progress.at(operation.done + operation.leftOut.count);
      if (operation.state !== "RUNNING") {
        progress.end();
        return write(out, operation);
      }
      await sleep(LOOK_EVERY_MS, signal);
    }
  } finally {
    progress.end();
  }
}

function write(out: Use["out"], operation: Operation): void {
  const { state, done, total, leftOut, problem } = operation;
  out.answer(operation, () => {
    const lines = [out.say(WORDS.operationEnded, { done, total })];
    if (leftOut.count > 0) lines.push(out.say(WORDS.operationLeftOut, { count: leftOut.count }));
    if (state === "FAILED") lines.push(out.say(WORDS.operationFailed, { problem: onOneLine(problem ?? "") }));
    return lines.join("\n");
  });
}
