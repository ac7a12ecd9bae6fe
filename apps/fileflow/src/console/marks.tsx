import { Count } from "@andon/console/room";
import type { DeadLetter, ExecutionItem, Stage } from "./api.ts";
import { useFileflowWords } from "./i18n/words.ts";

const CALM = "bg-ground text-soft";
const RUNS = "bg-run-wash text-run-ink";
const WARNS = "bg-warn-wash text-warn-ink";
const FAILED = "bg-stop-wash text-stop-ink";

const EXECUTION: Readonly<Record<ExecutionItem["status"], string>> = {
  PENDING: CALM,
  RUNNING: RUNS,
  COMPLETED: CALM,
  FAILED,
  CANCELLED: WARNS,
  TIMEOUT: FAILED,
};

const STAGE: Readonly<Record<Stage["status"], string>> = {
  STARTED: CALM,
  RUNNING: RUNS,
  COMPLETED: CALM,
  FAILED,
  SKIPPED: CALM,
  TIMEOUT: FAILED,
};

const LETTER: Readonly<Record<DeadLetter["state"], string>> = {
  DEAD: FAILED,
  QUARANTINED: WARNS,
  DISCARDED: CALM,
  REDRIVEN: CALM,
};

/** A requested cancel is shown as a request, because the execution runs until its stage ends. */
export function ExecutionMark({
  execution: { status, cancelRequested },
}: {
  execution: Pick<ExecutionItem, "status" | "cancelRequested">;
}) {
  const { common: say } = useFileflowWords();
  if (cancelRequested && status === "RUNNING")
    return <Mark tone={WARNS} state={status} text={say.cancelling} title={say.cancellingHint} />;
  return <Mark tone={EXECUTION[status]} state={status} text={say.executionStatus[status]} />;
}

export function StageMark({ status }: { status: Stage["status"] }) {
  const { common: say } = useFileflowWords();
  return <Mark tone={STAGE[status]} state={status} text={say.stageStatus[status]} />;
}

export function LetterMark({ state }: { state: DeadLetter["state"] }) {
  const { common: say } = useFileflowWords();
  return <Mark tone={LETTER[state]} state={state} text={say.letterState[state]} />;
}

interface MarkProps {
  readonly tone: string;
  readonly state: string;
  readonly text: string;
  readonly title?: string;
}

function Mark({ tone, state, text, title }: MarkProps) {
  return (
    <span
      className={`rounded px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tone}`}
      data-state={state}
      title={title ?? state}
    >
      {text}
    </span>
  );
}

/** A count with `+` if counting stopped early. */
export function BoundedCount({ value, isMore }: { value: number; isMore: boolean }) {
  return (
    <>
      <Count value={value} />
      {isMore && "+"}
    </>
  );
}
