import { RefusedError } from "@andon/client";
import { CircleAlert } from "lucide-react";
import { isUnanswered } from "../api/unanswered.ts";
import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { WithTickets } from "../job/job-ticket.tsx";
import { Button } from "./button.tsx";
import { refusalOf } from "./refusal.ts";

interface ProblemProps {
  readonly error: unknown;
  /** The kind of request. Only the queries of a page are repeated automatically. */
  readonly of?: keyof Words["problem"]["unanswered"];
  readonly onRetry?: () => void;
}

/** An error: its text, its code, and what to do about it. */
export function Problem({ error, of = "page", onRetry }: ProblemProps) {
  const words = useWords();
  const { problem, common } = words;
  const refused = error instanceof RefusedError && !isUnanswered(error) ? error : undefined;
  const { text, jobIds } = refused ? refusalOf(refused, words) : { text: problem.unreachable, jobIds: [] };
  const hint = hintFor(refused, of, problem);
  return (
    <div role="alert" className="flex items-start gap-3 rounded-lg bg-stop-wash px-4 py-3 text-stop-ink">
      <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">
          <WithTickets text={text} ids={jobIds} />
        </p>
        {hint && <p>{hint}</p>}
        {refused?.code && (
          <p className="mt-1 font-mono text-xs">
            {problem.code} {refused.code}
            {refused.problem?.traceId && ` · ${problem.trace} ${refused.problem.traceId}`}
          </p>
        )}
        {onRetry && (
          <div className="mt-2">
            <Button onClick={onRetry}>{common.retryLoad}</Button>
          </div>
        )}
      </div>
    </div>
  );
}

function hintFor(
  refused: RefusedError | undefined,
  of: keyof Words["problem"]["unanswered"],
  { hints, unanswered, foreignHint }: Words["problem"],
): string | undefined {
  if (!refused) return unanswered[of];
  if (refused.problem) return hints[refused.problem.error];
  // The error is from a proxy: the decision may have reached the server anyway.
  return of === "decision" && refused.status >= 500 ? unanswered.decision : foreignHint;
}
