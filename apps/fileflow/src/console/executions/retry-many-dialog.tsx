import { DecisionDialog, useNumber } from "@andon/console/room";
import { fileflow } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";

interface Filter {
  readonly status?: "FAILED" | "TIMEOUT" | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly pipelineCode?: string | undefined;
  readonly errorCode?: string | undefined;
}

/** The given executions, or all that match. */
export type RetriedMany = { readonly ids: readonly string[] } | { readonly filter: Filter };

/** Resumes many executions at once; the dialog shows the progress. */
export function RetryManyDialog({ which, onClose }: { which: RetriedMany; onClose: () => void }) {
  const { execution: say, common } = useFileflowWords();
  const number = useNumber();
  const decide: Parameters<typeof DecisionDialog>[0]["decide"] = async (reason, follow) => {
    const chosen = "ids" in which ? { ids: [...which.ids] } : { filter: which.filter };
    const { operationId, total, done } = await fileflow().executions.retryMany({ ...chosen, reason });
    if (operationId === null) return { message: say.retriedMany(number(done)) };
    return follow({ operationId, total, done });
  };
  const effect = () => {
    if ("ids" in which) return say.retryManyIds(number(which.ids.length));
    const { status, ...rest } = which.filter;
    const words = [...(status ? [common.executionStatus[status]] : []), ...Object.values(rest)];
    const given = words.filter((word) => word !== undefined);
    return given.length === 0 ? say.retryManyAll : say.retryManyFilter(given.join(", "));
  };
  return (
    <DecisionDialog
      title={say.retryManyTitle}
      effects={[effect(), say.retryManyResume]}
      confirm={say.retry}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}
