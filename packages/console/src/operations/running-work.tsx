import { ListChecks } from "lucide-react";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useNumber } from "../ui/number.tsx";

/** The progress of running decisions over many jobs, shown on every page. */
export function RunningWork({ onOpen }: { onOpen: () => void }) {
  const { work: say } = useWords();
  const number = useNumber();
  const maySee = useAllowed({ permission: "queue.read" });
  const { data } = useLiveQuery({ ...queries.allOperations(), enabled: maySee });
  const running = data?.items.filter(({ state }) => state === "RUNNING") ?? [];
  if (running.length === 0) return null;
  const total = running.reduce((sum, each) => sum + each.total, 0);
  const settled = running.reduce((sum, each) => sum + each.done + each.leftOut.count, 0);
  return (
    <button
      type="button"
      data-running-work
      title={say.show}
      onClick={onOpen}
      className="inline-flex min-h-8 items-center gap-2 rounded-full bg-accent-wash px-3 text-xs font-medium whitespace-nowrap text-accent hover:opacity-85"
    >
      <ListChecks size={15} aria-hidden="true" />
      <span className="max-sm:sr-only">{say.running(running.length)}</span>
      {total > 0 && <span className="tabular-nums">{number(Math.floor((100 * settled) / total))} %</span>}
    </button>
  );
}
