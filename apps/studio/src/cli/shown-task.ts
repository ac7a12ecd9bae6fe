import { localTime, type Output, onOneLine } from "@andon/cli/app";
import type { Answer } from "@andon/client";
import type { STUDIO_ROUTES } from "../contract/routes.ts";
import type { TaskStatus } from "../contract/states.ts";
import { TASK } from "./i18n.ts";

export type Task = Answer<(typeof STUDIO_ROUTES)["tasks"]["show"]>;
type Phase = Task["phases"][number];

const COLOURS = {
  waiting: "yellow",
  processing: "blue",
  completed: "green",
  failed: "red",
  cancelled: "dim",
} as const satisfies Record<TaskStatus, string>;

export function colourOfStatus(status: TaskStatus) {
  return COLOURS[status];
}

/** `340 ms`, `12.4 s`, `3 min 5 s`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const percentOf = (share: number | null) =>
  share === null ? undefined : `${Math.floor(share * 100)} %`;

const LINES_SHOWN = 20;

/** One task for people: its properties, its phases, and its last log lines. */
export function shownTask(out: Output, task: Task): string {
  const { waitsFor, retryCount, maxRetries } = task;
  const facts = out.list([
    [out.say(TASK.id), task.taskId],
    [out.say(TASK.title), task.title],
    [out.say(TASK.status), `${task.type}/${task.status}`, colourOfStatus(task.status)],
    [out.say(TASK.error), task.error, "red"],
    [out.say(TASK.progress), percentOf(task.progress)],
    [out.say(TASK.waitsFor), waitsFor && waitsForText(out, waitsFor), "yellow"],
    [out.say(TASK.retries), out.say(TASK.retriesOf, { retryCount, maxRetries })],
    [out.say(TASK.priority), task.priority],
    [out.say(TASK.scheduled), localTime(task.scheduledTime)],
    [out.say(TASK.user), task.userId],
    [out.say(TASK.images), task.images.length],
    [out.say(TASK.film), task.hasVideo ? `/tasks/${task.taskId}/video` : "-"],
  ]);
  const log = task.logs
    .slice(-LINES_SHOWN)
    .map(({ at, type, level, message }) =>
      out.paint(LOG_COLOURS[level], `${localTime(at)}  ${type ?? "-"}  ${onOneLine(message)}`),
    );
  const head = out.paint("bold", out.say(TASK.log));
  return [facts, "", phaseTable(out, task), ...(log.length > 0 ? ["", head, ...log] : [])].join("\n");
}

const LOG_COLOURS = { info: undefined, warning: "yellow", error: "red" } as const;

export function waitsForText(out: Output, { event, until }: NonNullable<Task["waitsFor"]>): string {
  if (until === null) return out.say(TASK.imagesAnyTime);
  return out.say(event === "service" ? TASK.serviceUntil : TASK.imagesUntil, { until: localTime(until) });
}

function phaseTable(out: Output, task: Task): string {
  const reached = new Map(task.phases.map((phase) => [phase.type, phase]));
  const rows = task.allPhases.map((type) => ({ type, phase: reached.get(type) }));
  const time = (at: string | null | undefined) => (at ? localTime(at) : "-");
  return out.table<{ type: string; phase: Phase | undefined }>(
    [
      { head: out.say(TASK.phase), of: ({ type }) => type },
      {
        head: out.say(TASK.status),
        of: ({ phase }) => phase?.status ?? "-",
        colour: ({ phase }) => phase && colourOfStatus(phase.status),
      },
      {
        head: out.say(TASK.elapsed),
        of: ({ phase }) => (phase && phase.startedAt !== null ? spanText(phase.elapsedMs) : "-"),
        side: "right",
      },
      { head: out.say(TASK.started), of: ({ phase }) => time(phase?.startedAt) },
      { head: out.say(TASK.finished), of: ({ phase }) => time(phase?.finishedAt) },
    ],
    rows,
  );
}
