import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../words/words.ts";
import type { Output } from "./output.ts";
import { colourOf } from "./paint.ts";
import type { Column } from "./table.ts";
import { ago } from "./times.ts";

type Overview = Answer<(typeof ROUTES)["queues"]["list"]>["items"][number];

/** A queue as one row: for the list and for the board. */
export function queueColumns(out: Output): Column<Overview>[] {
  return [
    { head: out.say(WORDS.queue), of: ({ queue }) => queue },
    {
      head: out.say(WORDS.state),
      of: ({ state }) => state,
      colour: ({ state }) => colourOf(state),
      isKept: true,
    },
    { head: out.say(WORDS.waiting), of: ({ waiting }) => waiting, side: "right" },
    { head: out.say(WORDS.active), of: ({ active }) => active, side: "right" },
    {
      head: out.say(WORDS.failed),
      of: ({ failed }) => failed,
      colour: ({ failed }) => (failed > 0 ? "red" : undefined),
      side: "right",
    },
    { head: out.say(WORDS.completed), of: ({ completed }) => completed, side: "right" },
    { head: out.say(WORDS.delayed), of: ({ delayed }) => delayed, side: "right" },
    {
      head: out.say(WORDS.heldLanes),
      of: ({ heldLanes }) => heldLanes,
      colour: ({ heldLanes }) => ((heldLanes ?? 0) > 0 ? "yellow" : undefined),
      side: "right",
    },
    {
      head: out.say(WORDS.perMinute),
      of: ({ donePerMinute }) => donePerMinute && Math.round(donePerMinute),
      side: "right",
    },
    {
      head: out.say(WORDS.since),
      of: ({ pausedAt, degradedAt }) => {
        const at = pausedAt ?? degradedAt;
        return at && ago(at, out.language);
      },
    },
    { head: out.say(WORDS.reason), of: ({ pauseReason }) => pauseReason, isLong: true },
  ];
}
