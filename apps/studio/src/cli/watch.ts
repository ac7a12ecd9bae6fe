import { command, EXIT, LiveBlock, localTime, type Output, onOneLine, sleep } from "@andon/cli/app";
import { STUDIO_ROUTES } from "../contract/routes.ts";
import { TASK } from "./i18n.ts";
import { colourOfStatus, percentOf, shownTask, spanText, type Task, waitsForText } from "./shown-task.ts";

const LOOK_MS = 500;
const BAR_WIDTH = 24;
const ENDED: readonly Task["status"][] = ["completed", "failed", "cancelled"];

export const taskWatch = command({
  name: "task watch",
  says: {
    en: "Follows a task phase by phase until it ends; ends with 1 unless it is completed",
    ko: "작업이 끝날 때까지 단계별 진행을 보여 줍니다. 완료되지 않으면 종료 코드 1",
  },
  example: "andon task watch 0198c0de-0000-7000-8000-000000000000",
  given: { id: { says: TASK.taskId } },
  async run({ given, clientOf, out, shell }) {
    const { tasks } = clientOf(STUDIO_ROUTES);
    const signal = shell.interruption();
    const live = new LiveBlock(shell.stderr);
    let task: Task = await tasks.show(given);
    try {
      while (!ENDED.includes(task.status)) {
        live.show(linesOf(out, task));
        await sleep(LOOK_MS, signal);
        task = await tasks.show(given);
      }
    } finally {
      live.end();
      if (signal.aborted) out.note(TASK.goesOn);
    }
    out.answer(task, () => shownTask(out, task));
    return task.status === "completed" ? EXIT.ok : EXIT.refused;
  },
});

/** A line per phase, with a progress bar for the current one, and the last line of the log. */
function linesOf(out: Output, task: Task): string[] {
  const reached = new Map(task.phases.map((phase) => [phase.type, phase]));
  const width = Math.max(...task.allPhases.map((type) => type.length));
  const lines = task.allPhases.map((type) => {
    const phase = reached.get(type);
    const name = type.padEnd(width);
    if (!phase) return out.paint("dim", `${SIGNS.none} ${name}`);
    const isCurrent = type === task.type;
    const rest = isCurrent ? presentOf(out, task) : spanText(phase.elapsedMs);
    return out.paint(colourOfStatus(phase.status), `${SIGNS[phase.status]} ${name}  ${rest}`);
  });
  const last = task.logs.at(-1);
  return last ? [...lines, out.paint("dim", `${localTime(last.at)}  ${onOneLine(last.message)}`)] : lines;
}

const SIGNS = {
  none: "·",
  waiting: "…",
  processing: "▶",
  completed: "✓",
  failed: "✗",
  cancelled: "–",
} as const;

function presentOf(out: Output, task: Task): string {
  const { status, progress, waitsFor, scheduledTime, startedAt } = task;
  if (status === "processing") {
    const span = startedAt === null ? "" : spanText(Math.max(0, Date.now() - Date.parse(startedAt)));
    return progress === null ? span : `${barOf(progress)} ${percentOf(progress)}  ${span}`;
  }
  if (waitsFor) return waitsForText(out, waitsFor);
  const isLater = Date.parse(scheduledTime) > Date.now();
  return isLater ? `${out.say(TASK.scheduled)} ${localTime(scheduledTime)}` : status;
}

function barOf(share: number): string {
  const full = Math.round(share * BAR_WIDTH);
  return "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
}
