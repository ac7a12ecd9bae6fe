import type { JobSummary } from "../api/client.ts";
import type { JobSearch } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import type { PlannedAction } from "./plan-dialog.tsx";
import { hasAny, NONE, plansFor, queueOf, type Selected } from "./selection.ts";

interface SelectionBarProps {
  readonly selected: Selected;
  readonly jobs: readonly JobSummary[];
  readonly total: number;
  readonly more: boolean;
  readonly filter: JobSearch;
  readonly onSelect: (selected: Selected) => void;
  readonly onPlan: (planned: PlannedAction) => void;
}

const KEYS: Partial<Record<PlannedAction["action"], string>> = { retry: "r", skip: "s" };

/** How many are selected, and what to plan with them. */
export function SelectionBar({ selected, jobs, total, more, filter, onSelect, onPlan }: SelectionBarProps) {
  const { jobs: say, plan } = useWords();
  const isAll = selected === "all";
  const isPage = selected !== "all" && jobs.length > 0 && jobs.every(({ id }) => selected.has(id));
  const plans = plansFor(selected, jobs, filter);
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 sm:px-4">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isAll || isPage}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && !isPage && selected.size > 0;
          }}
          onChange={() => onSelect(isAll || isPage ? NONE : new Set(jobs.map((job) => job.id)))}
        />
        {say.selectPage}
      </label>
      {hasAny(selected) && (
        <span className="font-medium" role="status">
          {isAll ? say.allSelected : say.selected(selected.size)}
        </span>
      )}
      {isPage && total > jobs.length && filter.queue && (
        <Button tone="quiet" onClick={() => onSelect("all")}>
          {say.allMatching(total, more)}
        </Button>
      )}
      {hasAny(selected) && queueOf(selected, jobs, filter) === undefined && (
        <span className="text-warn-ink">{say.needsQueue}</span>
      )}
      {plans.length > 0 && (
        <span className="ml-auto flex flex-wrap gap-1.5">
          {plans.map((planned) => (
            <Button key={planned.action} shortcut={KEYS[planned.action]} onClick={() => onPlan(planned)}>
              {plan.title(plan.of[planned.action])}
            </Button>
          ))}
        </span>
      )}
    </div>
  );
}
