import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { say } from "../i18n/localized.ts";
import { WORDS } from "../i18n/words.ts";
import type { Use } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failures.ts";

const YES = /^(y|yes|예|네|ㅇ)$/i;

/** Where nobody can be asked, doing it must have been asked for beforehand. */
export function needTerminal({ shell }: Pick<Use, "shell">): void {
  if (!shell.stdin.isTTY) throw new Failure(EXIT.usage, WORDS.yesNeeded);
}

/**
 * Shows a person what is about to be done, and asks. Where nobody sits there, or everything was said beforehand (`--yes`), it is
 * done without a question.
 */
export async function mayGoOn(
  use: Pick<Use, "shell" | "language" | "out">,
  isSaid: boolean,
  preview: () => Promise<string>,
): Promise<boolean> {
  if (isSaid || use.out.isJson || !use.shell.stdin.isTTY) return true;
  use.out.aside(await preview());
  if (await isConfirmed(use)) return true;
  use.out.note(WORDS.notResumed);
  return false;
}

/** Whether a person says yes. An input that ends is no. */
export async function isConfirmed({ shell, language }: Pick<Use, "shell" | "language">): Promise<boolean> {
  const signal = shell.interruption();
  const questions = createInterface({ input: shell.stdin, output: shell.stderr, terminal: true });
  // A terminal in this mode gives Ctrl-C to the reader, not to the process.
  questions.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const end = once(questions, "close", { signal }).then(() => "");
    const answer = await Promise.race([questions.question(say(WORDS.goOn, language), { signal }), end]);
    return YES.test(answer.trim());
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    questions.close();
  }
}
