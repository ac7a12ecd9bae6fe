import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import { onOneLine } from "./width.ts";

type Resumed = Answer<(typeof ROUTES)["queues"]["resume"]>;

export function resumedText({ message, pendingJobs, unresolvedFailed }: Resumed, out: Output): string {
  const lines = [onOneLine(message), out.say(WORDS.pending, { count: pendingJobs })];
  if (unresolvedFailed > 0) lines.push(out.say(WORDS.unresolved, { count: unresolvedFailed }));
  return lines.join("\n");
}
