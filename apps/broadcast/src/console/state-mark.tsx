import type { BulkState } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

const TONES: Readonly<Record<BulkState, string>> = {
  SCHEDULED: "bg-ground text-soft",
  WAITING: "bg-ground text-soft",
  RUNNING: "bg-run-wash text-run-ink",
  ABORTING: "bg-warn-wash text-warn-ink",
  ABORTED: "bg-warn-wash text-warn-ink",
  COMPLETED: "bg-ground text-soft",
  FAILED: "bg-stop-wash text-stop-ink",
};

export function StateMark({ state }: { state: BulkState }) {
  const { states } = useBroadcastWords();
  return (
    <span
      className={`rounded px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[state]}`}
      data-state={state}
    >
      {states[state]}
    </span>
  );
}
