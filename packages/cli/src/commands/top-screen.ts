import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import type { Use } from "../terminal/command.ts";
import { type Key, listenToKeys } from "../terminal/keys.ts";
import { queueColumns } from "../terminal/queue-columns.ts";
import { sparkline } from "../terminal/sparkline.ts";
import { clockTime, localTime } from "../terminal/times.ts";
import { cutTo, onOneLine, wrapped } from "../terminal/width.ts";

type Overview = Answer<(typeof ROUTES)["queues"]["list"]>["items"][number];
type Failed = Answer<(typeof ROUTES)["queues"]["failed"]>["items"][number];

const REFRESH_MS = 2_000;
const MINUTES = 30;
/** In a terminal with fewer columns, the graph in the list of queues covers only these minutes. */
const NARROW = { columns: 130, minutes: 12 } as const;
/** An empty line and the line that lists the keys. */
const FOOT_LINES = 2;
/** The columns of the mark in front of each row. */
const MARGIN = 2;
const MOST = 100;
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";

/** The content of the screen: all queues, one queue, or one of its failed jobs; and the selected row. */
interface View {
  readonly queue: string | null;
  readonly job: string | null;
  readonly row: number;
  /** The selected row of each screen above this one. */
  readonly above: readonly number[];
}

interface Screen {
  readonly text: string;
  /** What each row opens. */
  readonly opens: readonly Partial<View>[];
}

/** Shows all queues full-screen until the person quits. */
export async function showTop(use: Use): Promise<void> {
  const { shell } = use;
  let view: View = { queue: null, job: null, row: 0, above: [] };
  let screen = await screenOf(use, view);
  let isOver = false;
  let wake = () => {};
  const onKey = (key: Key) => {
    if (key === "quit") isOver = true;
    else view = moved(view, key, screen);
    wake();
  };
  const signal = shell.interruption();
  const interrupted = () => wake();
  signal.addEventListener("abort", interrupted);
  shell.stdout.write(ENTER);
  const stopListening = listenToKeys(shell.stdin, onKey);
  const resized = () => wake();
  shell.stdout.on("resize", resized);
  try {
    while (!isOver) {
      signal.throwIfAborted();
      // While the server does not answer, the last screen stays.
      screen = await screenOf(use, view).catch(() => screen);
      draw(use, screen, view);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, REFRESH_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (isOver || signal.aborted) wake();
      });
    }
  } finally {
    stopListening();
    shell.stdout.off("resize", resized);
    signal.removeEventListener("abort", interrupted);
    shell.stdout.write(LEAVE);
  }
}

function moved(view: View, key: Key, { opens }: Screen): View {
  const last = Math.max(0, opens.length - 1);
  if (key === "up") return { ...view, row: Math.max(0, view.row - 1) };
  if (key === "down") return { ...view, row: Math.min(last, view.row + 1) };
  if (key === "back") {
    const before = { row: view.above.at(-1) ?? 0, above: view.above.slice(0, -1), job: null };
    return { ...before, queue: view.job === null ? null : view.queue };
  }
  const opened = opens[view.row];
  return key === "open" && opened ? { ...view, ...opened, row: 0, above: [...view.above, view.row] } : view;
}

async function screenOf(use: Use, { queue, job }: View): Promise<Screen> {
  if (job !== null) return jobScreen(use, job);
  return queue === null ? queuesScreen(use) : queueScreen(use, queue);
}

async function queuesScreen({ client, out }: Use): Promise<Screen> {
  const { items } = await client.queues.list({ limit: MOST });
  const minutes = (out.width ?? Number.POSITIVE_INFINITY) < NARROW.columns ? NARROW.minutes : MINUTES;
  const graphs = new Map(
    await Promise.all(
      items.map(async ({ queue }) => [queue, await graphOf(client, queue, minutes)] as const),
    ),
  );
  const graph = {
    head: out.say(WORDS.doneGraph, { minutes }),
    of: ({ queue }: Overview) => graphs.get(queue) ?? null,
    leaves: 8,
  };
  const [name, ...rest] = queueColumns(out);
  return {
    text: out.table([...(name ? [name] : []), graph, ...rest], items, MARGIN),
    opens: items.map(({ queue }) => ({ queue })),
  };
}

/** Null if the history cannot be read: a key with a tenant may not read the history of whole queues. */
async function graphOf(client: Use["client"], queue: string, minutes = MINUTES): Promise<string | null> {
  const from = new Date(Date.now() - (minutes - 1) * 60_000).toISOString();
  return client.queues.history({ queue, from, step: "1m" }).then(
    ({ points }) => sparkline(points.map(({ done }) => done)),
    () => null,
  );
}

async function queueScreen({ client, out }: Use, queue: string): Promise<Screen> {
  const [overview, failed, graph] = await Promise.all([
    client.queues.overview({ queue }),
    client.queues.failed({ queue, limit: MOST }),
    graphOf(client, queue),
  ]);
  const columns = [
    { head: out.say(WORDS.ticket), of: ({ jobId }: Failed) => jobId },
    { head: out.say(WORDS.kind), of: ({ eventType }: Failed) => eventType },
    { head: out.say(WORDS.errorHead), of: ({ failedReason }: Failed) => failedReason, isLong: true as const },
    { head: out.say(WORDS.at), of: ({ failedAt }: Failed) => localTime(failedAt) },
  ];
  const head = [
    out.table(queueColumns(out), [overview], MARGIN),
    `${out.say(WORDS.doneGraph, { minutes: MINUTES })}  ${graph ?? "-"}`,
  ].join("\n");
  return {
    text: `${head}\n\n${out.table(columns, failed.items, MARGIN)}`,
    opens: failed.items.map(({ jobId }) => ({ job: jobId })),
  };
}

async function jobScreen({ client, out }: Use, id: string): Promise<Screen> {
  const job = await client.jobs.show({ id });
  const text = out.list([
    [out.say(WORDS.ticket), job.ticket],
    [out.say(WORDS.queue), job.queue],
    [out.say(WORDS.kind), job.name],
    [out.say(WORDS.state), job.state],
    [out.say(WORDS.key), job.keys.join(", ") || null],
    [out.say(WORDS.attempts), job.attempts],
    [out.say(WORDS.made), localTime(job.createdAt)],
    [out.say(WORDS.errorHead), job.error && onOneLine(`${job.error.code}: ${job.error.message}`)],
  ]);
  const why = onOneLine(job.why.sentence);
  const lines = out.width === undefined ? [why] : wrapped(why, out.width - MARGIN);
  return { text: `${text}\n\n${lines.join("\n")}`, opens: [] };
}

/** The rows that can be opened are the last lines of the text. If they do not all fit, the rows around the selected one are shown. */
function draw({ out, shell }: Use, { text, opens }: Screen, { row }: View): void {
  const lines = text.split("\n");
  const first = lines.length - opens.length;
  const marked = lines.map(
    (line, index) => `${opens.length > 0 && index === first + row ? "▶" : " "} ${line}`,
  );
  const foot = out.paint("dim", out.say(WORDS.topFoot, { time: clockTime(Date.now()) }));
  const room = Math.max(1, (shell.stdout.rows || Number.POSITIVE_INFINITY) - FOOT_LINES);
  const above = marked.slice(0, first).slice(0, Math.max(0, room - 1));
  const shown = [...above, ...around(marked.slice(first), row, room - above.length)];
  const fitting = [...shown, "", foot].map((line) =>
    out.width === undefined ? line : cutTo(line, out.width),
  );
  shell.stdout.write(`\u001b[H${fitting.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`);
}

/** As many lines as fit into `room`, with the chosen line in the middle where possible. */
function around(lines: readonly string[], chosen: number, room: number): readonly string[] {
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), lines.length - room));
  return lines.slice(from, from + Math.min(room, lines.length));
}
