import { DecisionDialog, useNavigate } from "@andon/console/room";
import { executionAddress } from "../addresses.ts";
import { type ExecutionItem, fileflow } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";

interface Props {
  readonly execution: Pick<ExecutionItem, "executionId" | "status">;
  readonly onClose: () => void;
}

export type ExecutionAction = "cancel" | "retry";

/** The actions that an execution allows now, as in the API. */
export function actionsOf({
  status,
  cancelRequested,
}: Pick<ExecutionItem, "status" | "cancelRequested">): readonly ExecutionAction[] {
  if (status === "FAILED" || status === "TIMEOUT") return ["retry"];
  return (status === "PENDING" || status === "RUNNING") && !cancelRequested ? ["cancel"] : [];
}

export function ExecutionDialog({ action, ...props }: Props & { action: ExecutionAction }) {
  return action === "cancel" ? <CancelDialog {...props} /> : <RetryDialog {...props} />;
}

function CancelDialog({ execution: { executionId, status }, onClose }: Props) {
  const { execution: say } = useFileflowWords();
  const decide = async (reason: string | undefined) => {
    const answer = await fileflow().executions.cancel({ id: executionId, reason });
    return { message: answer.status === "CANCELLED" ? say.cancelledNow : say.cancelAccepted };
  };
  return (
    <DecisionDialog
      title={say.cancelTitle}
      effects={[status === "PENDING" ? say.cancelPending : say.cancelRunning, say.cancelFinal]}
      confirm={say.cancelTitle}
      tone="stop"
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function RetryDialog({ execution: { executionId }, onClose }: Props) {
  const { execution: say } = useFileflowWords();
  const navigate = useNavigate();
  const decide = async (reason: string | undefined) => {
    const { newExecutionId } = await fileflow().executions.retry({ id: executionId, reason });
    if (newExecutionId === undefined) return { message: say.retried };
    await navigate({ to: executionAddress(newExecutionId) });
    return { message: say.retriedAsNew };
  };
  return (
    <DecisionDialog
      title={say.retryTitle}
      effects={[say.retryEffect]}
      confirm={say.retryTitle}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}
