import { ProgressBar, useNumber } from "@andon/console/room";
import type { Redrive } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";

/** The progress of a redrive, and the results of the messages it has sent. */
export function RedriveProgress({ redrive }: { redrive: Redrive }) {
  const { redrive: say } = useFileflowWords();
  const number = useNumber();
  const { state, total, done, redriven, deadAgain, leftOut } = redrive;
  return (
    <div role="status" data-redrive={state} className="flex flex-col gap-1">
      <p className="font-medium">
        {say.state[state]}: {say.progress(number(done), number(total))}
      </p>
      <ProgressBar label={say.recent} value={done} max={Math.max(1, total)} />
      <p className="flex flex-wrap gap-x-4 text-xs text-soft">
        <span>
          {say.sent} {number(redriven)}
        </span>
        <span className={deadAgain > 0 ? "text-stop-ink" : ""}>
          {say.deadAgain} {number(deadAgain)}
        </span>
        {leftOut > 0 && (
          <span className="text-warn-ink">
            {say.changed} {number(leftOut)}
          </span>
        )}
      </p>
    </div>
  );
}
