import { type FormEvent, type ReactNode, useState } from "react";
import type { HeldDecision, Operation } from "../api/client.ts";
import { type Follow, followOperation, isAccepted } from "../api/follow-operation.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useReason } from "../session/unfinished.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { notify, type Undoable } from "./notice.ts";
import { OperationProgress } from "./operation-progress.tsx";
import { Problem } from "./problem.tsx";

/** The result of a decision. A held-back decision can be undone until it is applied. */
export type Decided =
  | { readonly message: string; readonly pendingDecision?: HeldDecision | undefined }
  | { readonly ended: Operation };

interface DecisionDialogProps {
  readonly title: string;
  /** The exact effects, in full sentences. */
  readonly effects: readonly string[];
  readonly confirm: string;
  /** `stop`: the decision cannot be undone. */
  readonly tone?: "primary" | "stop";
  readonly reason: "required" | "optional" | "none";
  /** Makes the decision; its message is shown afterwards. `follow` waits for an operation and shows its progress. */
  readonly decide: (reason: string | undefined, follow: Follow) => Promise<Decided>;
  readonly onClose: () => void;
  /** Navigates after the decision. Queries are refetched only afterwards, because this page's subject may be deleted. */
  readonly onDone?: (() => void | Promise<void>) | undefined;
  readonly children?: ReactNode;
}

/**
 * The dialog of every decision: its effects, its reason and its result. It cannot be sent twice, and it stays open until the
 * answer, because a refusal is shown only here.
 */
export function DecisionDialog(props: DecisionDialogProps) {
  const { title, effects, confirm, tone = "primary", reason: needs, decide, onClose, onDone } = props;
  const { common, act, undo } = useWords();
  const { reason, setReason, sent } = useReason(title);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [operation, setOperation] = useState<Operation>();
  const isReady = needs !== "required" || reason.trim() !== "";

  const follow: Follow = async (answer) =>
    isAccepted(answer) ? { ended: await followOperation(answer.operationId, setOperation) } : answer;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending || !isReady) return;
    setPending(true);
    setError(undefined);
    try {
      const decided = await sent(decide(reason.trim() || undefined, follow));
      if (!("message" in decided)) notify(act.operation.ended(decided.ended));
      else if (decided.pendingDecision) notify(undo.heldBack(title), undoableOf(decided.pendingDecision));
      else notify(decided.message);
      onClose();
      await onDone?.();
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
      void queryClient.invalidateQueries();
    }
  };

  return (
    <Dialog title={title} onClose={onClose} isHeld={isPending && !operation}>
      <form
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
        className="flex flex-col gap-4"
      >
        <div>
          <h3 className="text-xs font-semibold text-faint">{act.willHappen}</h3>
          <ul className="mt-1 list-disc pl-5" data-effects>
            {effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        </div>
        {props.children}
        {needs !== "none" && (
          <Field
            label={needs === "required" ? common.reasonRequired : common.reasonOptional}
            hint={common.reasonHint}
          >
            {(field) => (
              <textarea
                {...field}
                rows={2}
                maxLength={2_000}
                required={needs === "required"}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                data-autofocus
              />
            )}
          </Field>
        )}
        {operation && <OperationProgress operation={operation} />}
        {error !== undefined && <Problem error={error} of="decision" />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={isPending && !operation} onClick={onClose}>
            {common.close}
          </Button>
          <Button tone={tone} type="submit" disabled={isPending || !isReady}>
            {isPending ? common.pending : confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function undoableOf({ id, appliesAt }: HeldDecision): Undoable {
  return { decisionId: id, appliesAt };
}
