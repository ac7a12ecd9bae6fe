import type { TaskStatus } from "../contract/states.ts";
import { useStudioWords } from "./i18n/words.ts";

const TONES: Readonly<Record<TaskStatus, string>> = {
  waiting: "border border-line-strong bg-panel text-soft",
  processing: "bg-hand-wash text-hand-ink",
  completed: "bg-run-wash text-run-ink",
  failed: "bg-stop-wash text-stop-ink",
  cancelled: "border border-line bg-panel text-soft",
};

/** The display name of a phase. A phase that only the settings define has its own name. */
export function usePhaseName(): (type: string) => string {
  const { phases } = useStudioWords();
  return (type) => phases[type] ?? type;
}

/** The phase of a task and its status in that phase; for a completed task, only the status. */
export function StatusMark({ type, status }: { type: string; status: TaskStatus }) {
  const say = useStudioWords();
  const phaseName = usePhaseName();
  const text =
    status === "completed" ? say.statuses.completed : say.stateOf(phaseName(type), say.statuses[status]);
  return (
    <span
      className={`inline-block rounded px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[status]}`}
      data-type={type}
      data-status={status}
    >
      {text}
    </span>
  );
}
