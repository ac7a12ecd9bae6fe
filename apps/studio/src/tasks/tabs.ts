import { AndonError } from "@andon/contract";
import { TASK_TABS } from "../contract/states.ts";
import type { Phase } from "../phases/phase-list.ts";
import type { TaskState } from "./task-rows.ts";

/** Which rows a tab shows. */
export interface Tab {
  readonly state: TaskState;
  /** Default: every phase. */
  readonly type?: string;
}

const ENDED: Readonly<Record<string, Tab>> = {
  failed: { state: "failed" },
  completed: { state: "completed" },
  cancelled: { state: "cancelled" },
};
const SCHEDULED = "scheduled";
const SCHEDULE = "schedule";

/** The tab of a phase: `scheduled` for the phase `schedule`, the name of the phase for all others. */
export function tabOfPhase(type: string): string {
  return type === SCHEDULE ? SCHEDULED : type;
}

export function tabNamed(name: string, phases: readonly Phase[]): Tab {
  const ended = Object.hasOwn(ENDED, name) ? ENDED[name] : undefined;
  if (ended) return ended;
  const known: readonly string[] = [
    ...TASK_TABS,
    ...phases.map((phase) => tabOfPhase(phase.name)),
    "cancelled",
  ];
  if (known.includes(name)) return { state: "open", type: name === SCHEDULED ? SCHEDULE : name };
  const allowed = [...new Set(known)].join(", ");
  const message = { en: `one of: ${allowed}`, ko: `다음 중 하나여야 합니다: ${allowed}` };
  throw new AndonError("VALIDATION_FAILED", {
    problem: { en: `tab: ${message.en}`, ko: `tab: ${message.ko}` },
    fields: [{ in: "query", field: "tab", message }],
  });
}
