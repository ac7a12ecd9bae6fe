import type { JobState } from "@andon/contract";
import type { JobSummary } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { useWords } from "../words/words.ts";
import type { PlannedAction } from "./plan-dialog.tsx";

type Selected = ReadonlySet<string> | "all";
type Action = PlannedAction["action"];

interface SelectionBarProps {
  readonly selected: Selected;
  readonly jobs: readonly JobSummary[];
  readonly total: number;
  readonly more: boolean;
  readonly queue: string | undefined;
  readonly state: JobState | undefined;
  readonly onSelect: (selected: Selected) => void;
  readonly onPlan: (planned: PlannedAction) => void;
}

/** What can be done from each state; where the filter names none, the plan leaves out what does not fit. */
function actionsFor(state: JobState | undefined): readonly Action[] {
  if (state === undefined) return ["retry", "skip", "cancel"];
  if (state === "failed") return ["retry", "skip"];
  return ["scheduled", "blocked", "ready", "running", "parked"].includes(state) ? ["cancel"] : [];
}

/** How many are selected, and what to plan with them. */
export function SelectionBar({
  selected,
  jobs,
  total,
  more,
  queue,
  state,
  onSelect,
  onPlan,
}: SelectionBarProps) {
  const { jobs: say, plan } = useWords();
  const ids = selected === "all" ? undefined : [...selected];
  const isPage =
    ids !== undefined && jobs.length > 0 && jobs.every((job) => selected !== "all" && selected.has(job.id));
  const queues = new Set(
    jobs.filter((job) => selected !== "all" && selected.has(job.id)).map((job) => job.queue),
  );
  const planQueue = queue ?? (selected !== "all" && queues.size === 1 ? [...queues][0] : undefined);
  const hasAny = selected === "all" || selected.size > 0;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 sm:px-4">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={selected === "all" || isPage}
          onChange={() => onSelect(hasAny ? new Set() : new Set(jobs.map((job) => job.id)))}
        />
        {say.selectPage}
      </label>
      {hasAny && (
        <span className="font-medium" role="status">
          {selected === "all" ? say.allSelected : say.selected(selected.size)}
        </span>
      )}
      {isPage && total > jobs.length && queue && (
        <Button tone="quiet" onClick={() => onSelect("all")}>
          {say.allMatching(total, more)}
        </Button>
      )}
      {hasAny && !planQueue && <span className="text-warn-ink">{say.needsQueue}</span>}
      {hasAny && planQueue && (
        <span className="ml-auto flex flex-wrap gap-1.5">
          {actionsFor(state).map((action) => (
            <Button key={action} onClick={() => onPlan({ action, queue: planQueue, ids })}>
              {plan.title(plan.of[action])}
            </Button>
          ))}
        </span>
      )}
    </div>
  );
}
