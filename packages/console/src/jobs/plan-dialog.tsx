import { RefusedError } from "@andon/client";
import { type FormEvent, useState } from "react";
import { api, type Operation, type Plan, type PlanResult } from "../api/client.ts";
import { followOperation, isAccepted } from "../api/follow-operation.ts";
import type { JobSearch } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useReason } from "../session/unfinished.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogButtons } from "../ui/dialog-buttons.tsx";
import { Field } from "../ui/field.tsx";
import { OperationProgress } from "../ui/operation-progress.tsx";
import { Problem } from "../ui/problem.tsx";
import { PlanReach } from "./plan-reach.tsx";

export interface PlannedAction {
  readonly action: "retry" | "skip" | "cancel";
  readonly queue: string;
  /** The selected jobs. Absent: all jobs that match the filter. */
  readonly ids: readonly string[] | undefined;
}

interface PlanDialogProps extends PlannedAction {
  readonly filter: JobSearch;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

type Step =
  | { readonly kind: "ask" }
  | { readonly kind: "look"; readonly plan: Plan }
  | { readonly kind: "done"; readonly told: Told };

/** What the dialog shows at the end. */
type Told = Pick<PlanResult, "message" | "requestedCount">;

function describeResult(operation: Operation, ended: (operation: Operation) => string): Told {
  return { message: ended(operation), requestedCount: operation.requestedCount };
}

/** The steps of a plan: reason, preview of the exact effects, then apply or cancel. */
export function PlanDialog({ action, queue, ids, filter, onClose, onDone }: PlanDialogProps) {
  const { plan: say, common, act } = useWords();
  const [operation, setOperation] = useState<Operation>();
  const [step, setStep] = useState<Step>({ kind: "ask" });
  const { reason, setReason, sent } = useReason(say.title(say.of[action]));
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const needsReason = action === "skip";

  const attempt = async (work: () => Promise<Step>) => {
    setPending(true);
    setError(undefined);
    try {
      setStep(await work());
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };
  const make = (event?: FormEvent) => {
    event?.preventDefault();
    const { queue: _, ...rest } = filter;
    const which = ids ? { ids: [...ids] } : { filter: rest };
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    void attempt(async () => ({
      kind: "look",
      plan: await api().plans.create({ action, queue, ...which, ...why }),
    }));
  };
  const apply = (plan: Plan) =>
    void attempt(async () => {
      const answer = await sent(api().plans.apply({ id: plan.id }));
      const told = isAccepted(answer)
        ? describeResult(await followOperation(answer.operationId, setOperation), act.operation.ended)
        : answer;
      await queryClient.invalidateQueries();
      onDone();
      return { kind: "done", told };
    });
  const isStale =
    error instanceof RefusedError && (error.code === "PLAN_STALE" || error.code === "PLAN_USED");

  return (
    <Dialog title={say.title(say.of[action])} onClose={onClose} wide isHeld={isPending && !operation}>
      {step.kind === "ask" && (
        <form onSubmit={make} className="flex flex-col gap-4">
          <p className="text-soft">{say.intro}</p>
          <Field label={needsReason ? common.reasonRequired : common.reasonOptional} hint={common.reasonHint}>
            {(field) => (
              <textarea
                {...field}
                rows={2}
                maxLength={2_000}
                required={needsReason}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                data-autofocus
              />
            )}
          </Field>
          <DialogButtons onClose={onClose} isPending={isPending}>
            <Button
              tone="primary"
              type="submit"
              disabled={isPending || (needsReason && reason.trim() === "")}
            >
              {isPending ? common.pending : say.make}
            </Button>
          </DialogButtons>
        </form>
      )}
      {step.kind === "look" && (
        <>
          <PlanReach plan={step.plan} />
          <DialogButtons onClose={onClose} isPending={isPending}>
            {isStale ? (
              <Button tone="primary" disabled={isPending} onClick={() => make()}>
                {say.again}
              </Button>
            ) : (
              <Button tone="primary" disabled={isPending} onClick={() => apply(step.plan)}>
                {isPending ? common.pending : say.apply(step.plan.count)}
              </Button>
            )}
          </DialogButtons>
        </>
      )}
      {step.kind === "done" && (
        <>
          <div role="status" className="rounded-md bg-run-wash px-3 py-2 text-run-ink">
            <p className="font-medium">{step.told.message}</p>
            {step.told.requestedCount > 0 && <p>{say.requested(step.told.requestedCount)}</p>}
          </div>
          <DialogButtons onClose={onClose} isPending={isPending} />
        </>
      )}
      {operation && <OperationProgress operation={operation} />}
      {error !== undefined && <Problem error={error} of={step.kind === "ask" ? "question" : "decision"} />}
    </Dialog>
  );
}
