import type { Answer } from "@andon/client";
import { isStoppedByFailure, type ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import { colourOf } from "./paint.ts";
import type { Column } from "./table.ts";
import { ago } from "./times.ts";

type Overview = Answer<(typeof ROUTES)["queues"]["list"]>["items"][number];

/** The state of a queue, with the console's words: a pause by hand and a stop by failure have different names. */
export function lampWord(queue: Pick<Overview, "state" | "pausedBy" | "failedJobId">, out: Output): string {
  if (queue.state === "open") return out.say(WORDS.lampRunning);
  if (queue.state === "degraded") return out.say(WORDS.lampDegraded);
  return out.say(isStoppedByFailure(queue) ? WORDS.lampStopped : WORDS.lampPaused);
}

/** A queue as one row: for the list and for the board. */
export function queueColumns(out: Output): Column<Overview>[] {
  return [
    { head: out.say(WORDS.queue), of: ({ queue }) => queue },
    {
      head: out.say(WORDS.state),
      of: (queue) => lampWord(queue, out),
      colour: ({ state }) => colourOf(state),
      isKept: true,
    },
    { head: out.say(WORDS.waiting), of: ({ waiting }) => waiting, side: "right" },
    { head: out.say(WORDS.active), of: ({ active }) => active, side: "right", leaves: 9 },
    {
      head: out.say(WORDS.failed),
      of: ({ failed }) => failed,
      colour: ({ failed }) => (failed > 0 ? "red" : undefined),
      side: "right",
    },
    { head: out.say(WORDS.completed), of: ({ completed }) => completed, side: "right", leaves: 3 },
    { head: out.say(WORDS.delayed), of: ({ delayed }) => delayed, side: "right", leaves: 2 },
    {
      head: out.say(WORDS.heldLanes),
      of: ({ heldLanes }) => heldLanes,
      colour: ({ heldLanes }) => ((heldLanes ?? 0) > 0 ? "yellow" : undefined),
      side: "right",
      leaves: 4,
    },
    {
      head: out.say(WORDS.perMinute),
      of: ({ donePerMinute }) => donePerMinute && Math.round(donePerMinute),
      side: "right",
      leaves: 1,
    },
    {
      head: out.say(WORDS.since),
      of: ({ pausedAt, degradedAt }) => {
        const at = pausedAt ?? degradedAt;
        return at && ago(at, out.language);
      },
      leaves: 6,
    },
    { head: out.say(WORDS.reason), of: ({ pauseReason }) => pauseReason, isLong: true, leaves: 7 },
  ];
}
