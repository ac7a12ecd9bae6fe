import { ListTabs } from "@andon/console/room";
import { TASK_TABS } from "../../contract/states.ts";
import { tasksOf } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";

export const ALL = "all";
const CANCELLED = "cancelled";

type Counts = Readonly<Record<string, number>>;

/** All tasks first, then the phases in the API's order, then additional phases, and the end states last. */
export function tabsOf(counts: Counts | undefined): readonly string[] {
  const known: readonly string[] = TASK_TABS;
  const further = Object.keys(counts ?? {}).filter((name) => !known.includes(name) && name !== CANCELLED);
  const phases = known.filter((name) => name !== "failed" && name !== "completed");
  return [ALL, ...phases, ...further, "failed", "completed", CANCELLED];
}

interface TaskTabsProps {
  readonly tab: string;
  readonly counts: Counts | undefined;
}

export function TaskTabs({ tab, counts }: TaskTabsProps) {
  const say = useStudioWords();
  const tabs = tabsOf(counts).map((name) => ({
    key: name,
    label: say.tabs[name] ?? name,
    to: tasksOf(name === ALL ? undefined : name),
    isHere: name === tab,
    count: counts?.[name],
    isBad: name === "failed",
  }));
  return <ListTabs label={say.tabsLabel} tabs={tabs} />;
}
