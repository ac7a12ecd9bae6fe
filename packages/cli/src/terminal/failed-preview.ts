import { WORDS } from "../i18n/words.ts";
import type { Use } from "./command.ts";
import { localTime } from "./times.ts";

const SHOWN = 5;

/** The preview of a decision about all failed jobs: their number, and the newest of them. */
export async function failedPreview(
  { client, out }: Pick<Use, "client" | "out">,
  queue: string,
): Promise<string> {
  const { total, items } = await client.queues.failed({ queue, limit: SHOWN });
  if (total === 0) return out.say(WORDS.nothingFailed);
  const rows = out.table(
    [
      { head: out.say(WORDS.ticket), of: ({ jobId }) => jobId },
      { head: out.say(WORDS.kind), of: ({ eventType }) => eventType },
      { head: out.say(WORDS.errorHead), of: ({ failedReason }) => failedReason, isLong: true },
      { head: out.say(WORDS.at), of: ({ failedAt }) => localTime(failedAt) },
    ],
    items,
  );
  const more = total > items.length ? "\n…" : "";
  return `${out.say(WORDS.failedToDecide, { count: total })}\n${rows}${more}`;
}
