import { RefusedError } from "@andon/client";
import { CircleAlert } from "lucide-react";
import { isUnanswered } from "../api/unanswered.ts";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";

interface ProblemProps {
  readonly error: unknown;
  /** What was asked of the server. Only what a page shows is asked again by itself. */
  readonly of?: keyof Words["problem"]["unanswered"];
  readonly onRetry?: () => void;
}

/** What went wrong, its code, and what to do about it. */
export function Problem({ error, of = "page", onRetry }: ProblemProps) {
  const { problem, common } = useWords();
  const refused = error instanceof RefusedError && !isUnanswered(error) ? error : undefined;
  const message = refused?.message ?? problem.unreachable;
  const hint = refused ? problem.hints[refused.code ?? ""] : problem.unanswered[of];
  return (
    <div role="alert" className="flex items-start gap-3 rounded-md bg-stop-wash px-3 py-2.5 text-stop-ink">
      <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{message}</p>
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
