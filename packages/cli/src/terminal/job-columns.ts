import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import { colourOf } from "./paint.ts";
import type { Column } from "./table.ts";
import { localTime } from "./times.ts";

type Summary = Answer<(typeof ROUTES)["jobs"]["list"]>["items"][number];

/** A job as one row. */
export function jobColumns(out: Output): Column<Summary>[] {
  return [
    { head: out.say(WORDS.ticket), of: ({ ticket }) => ticket },
    { head: out.say(WORDS.queue), of: ({ queue }) => queue },
    { head: out.say(WORDS.kind), of: ({ name }) => name },
    {
      head: out.say(WORDS.state),
      of: ({ state }) => state,
      colour: ({ state }) => colourOf(state),
      isKept: true,
    },
    { head: out.say(WORDS.key), of: ({ keys }) => keys.join(", ") || null, isLong: true },
    { head: out.say(WORDS.attempts), of: ({ attempts }) => attempts, side: "right" },
    { head: out.say(WORDS.made), of: ({ createdAt }) => localTime(createdAt) },
    {
      head: out.say(WORDS.errorHead),
      of: ({ error }) => error && `${error.code}: ${error.message}`,
      isLong: true,
    },
  ];
}
