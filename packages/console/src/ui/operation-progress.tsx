import { useState } from "react";
import type { Operation } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { JobTicket } from "../job/job-ticket.tsx";
import { ProgressBar } from "./progress-bar.tsx";

/** The progress of a decision over many jobs, and the jobs that it left out. */
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
      <LeftOutJobs leftOut={leftOut} />
    </div>
  );
}

/** The number of jobs that had changed or that an app refused, and the names of the first of them. */
export function LeftOutJobs({ leftOut }: Pick<Operation, "leftOut">) {
  const { act } = useWords();
  const [isOpen, setOpen] = useState(false);
  if (leftOut.count === 0) return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{act.operation.leftOut(leftOut.count)}</summary>
      {isOpen && (
        <ul className="flex flex-wrap gap-x-3 text-xs">
          {leftOut.jobs.map((job) => (
            <li key={job}>
              <JobTicket id={job} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
