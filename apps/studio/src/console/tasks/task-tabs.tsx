import { useNumber } from "@andon/console/room";
import { type KeyboardEvent, useRef } from "react";
import { TASK_TABS } from "../../contract/states.ts";
import { useStudioWords } from "../i18n/words.ts";

export const ALL = "all";
const CANCELLED = "cancelled";

type Counts = Readonly<Record<string, number>>;

/** All tasks first, then the tabs of the API in their order, those of further phases before the ends. */
export function tabsOf(counts: Counts | undefined): readonly string[] {
  const known: readonly string[] = TASK_TABS;
  const further = Object.keys(counts ?? {}).filter((name) => !known.includes(name) && name !== CANCELLED);
  const phases = known.filter((name) => name !== "failed" && name !== "completed");
  return [ALL, ...phases, ...further, "failed", "completed", CANCELLED];
}

interface TaskTabsProps {
  readonly tab: string;
  readonly counts: Counts | undefined;
  readonly panelId: string;
  readonly onTab: (tab: string) => void;
}

/** One tab stop; the arrow keys, Home and End move between the tabs. */
export function TaskTabs({ tab, counts, panelId, onTab }: TaskTabsProps) {
  const say = useStudioWords();
  const number = useNumber();
  const list = useRef<HTMLDivElement>(null);
  const tabs = tabsOf(counts);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(event.key, tabs.indexOf(tab), tabs.length);
    const name = next === undefined ? undefined : tabs[next];
    if (name === undefined) return;
    event.preventDefault();
    onTab(name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(name)}"]`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={say.tabsLabel}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="flex flex-wrap gap-1"
    >
      {tabs.map((name) => {
        const label = say.tabs[name] ?? name;
        const count = counts?.[name];
        const isAlarming = name === "failed" && (count ?? 0) > 0;
        return (
          <button
            key={name}
            type="button"
            role="tab"
            data-tab={name}
            aria-selected={name === tab}
            aria-controls={panelId}
            aria-label={count === undefined ? label : say.countOf(label, number(count))}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => onTab(name)}
            className={`inline-flex min-h-8 items-center gap-1.5 rounded-md border px-2.5 py-1 text-sm whitespace-nowrap ${
              name === tab
                ? "border-accent bg-accent-wash font-semibold text-ink"
                : "border-transparent text-soft hover:bg-panel hover:text-ink"
            }`}
          >
            {label}
            {count !== undefined && (
              <span
                data-count={count}
                className={`rounded px-1.5 text-xs ${isAlarming ? "bg-stop-wash font-semibold text-stop-ink" : "bg-panel text-soft"}`}
              >
                {number(count)}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

function neighbour(key: string, at: number, length: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % length;
  if (key === "ArrowLeft") return (at - 1 + length) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : undefined;
}
