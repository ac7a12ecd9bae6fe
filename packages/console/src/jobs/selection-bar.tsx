import type { JobSummary } from "../api/client.ts";
import type { JobSearch } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { SelectPage } from "../ui/select-page.tsx";
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

/** The number of selected jobs, and the plans that are possible for them. */
export function SelectionBar({ selected, jobs, total, more, filter, onSelect, onPlan }: SelectionBarProps) {
  const { jobs: say, plan } = useWords();
  const isAll = selected === "all";
  const isPage = selected !== "all" && jobs.length > 0 && jobs.every(({ id }) => selected.has(id));
  const plans = plansFor(selected, jobs, filter);
  return (
    <SelectPage
      isPage={isAll || isPage}
      isSome={hasAny(selected)}
      onToggle={() => onSelect(isAll || isPage ? NONE : new Set(jobs.map((job) => job.id)))}
    >
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
    </SelectPage>
  );
}
