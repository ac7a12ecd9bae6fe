import { WORDS } from "../i18n/words.ts";
import type { Use } from "../terminal/command.ts";
import { type FollowOptions, followEvents } from "../terminal/event-stream.ts";
import { queueColumns } from "../terminal/queue-columns.ts";
import { clockTime } from "../terminal/times.ts";

/** Counts change without an event, such as by an add. */
const REFRESH_MS = 2_000;
/** Many events at once are one look. */
const GATHER_MS = 250;
const MOST_QUEUES = 100;

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_REST = "\u001b[J";

/** The queues on a screen of their own, drawn again with every event, until a person ends it. */
export async function showBoard(use: Use, follow: FollowOptions): Promise<undefined> {
  const { client, out, connection, shell } = use;
  let isDue = false;
  let wake = () => {};
  let failure: { error: unknown } | undefined;

  const queues = () => client.queues.list({ limit: MOST_QUEUES });
  const draw = async () => {
    const { items } = await queues();
    const shown = follow.queue === undefined ? items : items.filter(({ queue }) => queue === follow.queue);
    const foot = out.paint("dim", out.say(WORDS.boardFoot, { time: clockTime(new Date().toISOString()) }));
    const lines = `${out.table(queueColumns(out), shown)}\n\n${foot}`.split("\n");
    shell.stdout.write(`${HOME}${lines.map((line) => line + CLEAR_LINE).join("\r\n")}${CLEAR_REST}`);
  };
  const listen = async () => {
    for await (const _ of followEvents(connection, { ...follow, onChange: () => {} })) look();
  };
  const look = () => {
    isDue = true;
    wake();
  };

  // A server that is away or refuses is told of before the screen is taken.
  await queues();
  shell.stdout.write(ENTER);
  const timer = setInterval(look, REFRESH_MS);
  listen().catch((error: unknown) => {
    failure = { error };
    wake();
  });
  try {
    while (!failure) {
      // A server that is away for a moment leaves the last board standing; who listens notices one that refuses.
      await draw().catch(() => follow.signal.throwIfAborted());
      if (!isDue && !failure) await new Promise<void>((resolve) => (wake = resolve));
      isDue = false;
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
    throw failure.error;
  } finally {
    clearInterval(timer);
    shell.stdout.write(LEAVE);
  }
}
