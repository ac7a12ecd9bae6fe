import { WORDS } from "../i18n/words.ts";
import type { Use } from "../terminal/command.ts";
import { type FollowOptions, followEvents } from "../terminal/event-stream.ts";
import { queueColumns } from "../terminal/queue-columns.ts";
import { clockTime } from "../terminal/times.ts";

/** The board is also redrawn without an event: an add, for example, changes counts without one. */
const REFRESH_MS = 2_000;
/** Events within this time cause one redraw. */
const GATHER_MS = 250;
const MOST_QUEUES = 100;

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_REST = "\u001b[J";

/** Shows the queues full-screen, redrawn after events, until the person quits. */
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

  // An error of the first request is reported before the board takes the screen.
  await queues();
  shell.stdout.write(ENTER);
  const timer = setInterval(look, REFRESH_MS);
  listen().catch((error: unknown) => {
    failure = { error };
    wake();
  });
  try {
    while (!failure) {
      // While the server does not answer, the last board stays. A refusal ends the command through `listen`.
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
