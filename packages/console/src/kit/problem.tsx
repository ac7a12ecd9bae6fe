import { RefusedError } from "@andon/client";
import { CircleAlert } from "lucide-react";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";

/** What went wrong, its code, and what to do about it. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { problem, common } = useWords();
  const refused = error instanceof RefusedError ? error : undefined;
  const message = refused?.message ?? problem.unreachable;
  const hint = refused ? problem.hints[refused.code ?? ""] : problem.unreachableHint;
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
