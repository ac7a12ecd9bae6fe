import type { Operation } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { ProgressBar } from "./progress-bar.tsx";

/** How far a decision over many jobs has come, and what it left out. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const { act } = useWords();
  const { action, total, done, leftOut } = operation;
  const say = act.operation;
  return (
    <div role="status" data-operation={operation.id} className="flex flex-col gap-1">
      <p className="font-medium">{say.of[action]}</p>
      <ProgressBar
        label={say.of[action]}
        {...(total > 0 ? { value: done + leftOut.count, max: total } : {})}
      />
      <p className="text-soft">{total > 0 ? say.progress(done, total) : say.listing}</p>
      {leftOut.count > 0 && (
        <details>
          <summary>{say.leftOut(leftOut.count)}</summary>
          <ul className="font-mono text-xs">
            {leftOut.jobs.map((job) => (
              <li key={job}>{job}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
