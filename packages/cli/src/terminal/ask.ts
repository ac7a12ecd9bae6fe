import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { say } from "../i18n/localized.ts";
import { WORDS } from "../i18n/words.ts";
import type { Use } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failures.ts";

const YES = /^(y|yes|예|네|ㅇ)$/i;

/** Without a terminal nobody can be asked, so `--yes` is required. */
export function needTerminal({ shell }: Pick<Use, "shell">): void {
  if (!shell.stdin.isTTY) throw new Failure(EXIT.usage, WORDS.yesNeeded);
}

/**
 * Shows a preview and asks for confirmation. Without a terminal, with `--json`, or with `--yes` (`isPreconfirmed`), it
 * returns true without asking.
 */
export async function confirmPreview(
  use: Pick<Use, "shell" | "language" | "out">,
  isPreconfirmed: boolean,
  preview: () => Promise<string>,
): Promise<boolean> {
  if (isPreconfirmed || use.out.isJson || !use.shell.stdin.isTTY) return true;
  use.out.aside(await preview());
  if (await isConfirmed(use)) return true;
  use.out.note(WORDS.notResumed);
  return false;
}

/** Whether the person answers yes. The end of the input counts as no. */
export async function isConfirmed({ shell, language }: Pick<Use, "shell" | "language">): Promise<boolean> {
  const signal = shell.interruption();
  const questions = createInterface({ input: shell.stdin, output: shell.stderr, terminal: true });
  // While readline reads, the terminal passes Ctrl-C to it and sends no signal.
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
