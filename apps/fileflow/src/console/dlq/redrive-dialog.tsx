import { RefusedError } from "@andon/client";
import {
  Button,
  Dialog,
  DialogButtons,
  Fact,
  Facts,
  Problem,
  queryClient,
  spanText,
  TextField,
  Time,
  useNumber,
  useReason,
  useWords,
} from "@andon/console/room";
import { type FormEvent, useState } from "react";
import { type DeadLetter, fileflow, type Redrive, type RedrivePlan } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { followRedrive } from "./follow-redrive.ts";
import { RedriveProgress } from "./redrive-progress.tsx";

interface Filter {
  readonly error?: string | undefined;
  readonly source?: DeadLetter["source"] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The given letters, or all that match. */
export type RedriveWhich = { readonly ids: readonly string[] } | { readonly filter: Filter };

interface RedriveDialogProps {
  readonly which: RedriveWhich;
  readonly onClose: () => void;
  /** Called when the redrive has started, so that the selection is cleared. */
  readonly onSent: () => void;
}

type Step =
  | { readonly kind: "ask" }
  | { readonly kind: "look"; readonly plan: RedrivePlan; readonly rate: number }
  | { readonly kind: "sent"; readonly redrive: Redrive };

const DEFAULT_RATE = 10;

/** The steps: select letters and rate, check the frozen plan, send exactly that and show the progress. */
export function RedriveDialog({ which, onClose, onSent }: RedriveDialogProps) {
  const { redrive: say } = useFileflowWords();
  const { common } = useWords();
  const number = useNumber();
  const [step, setStep] = useState<Step>({ kind: "ask" });
  const [rate, setRate] = useState(String(DEFAULT_RATE));
  const [limit, setLimit] = useState("");
  const { reason, setReason, sent } = useReason(say.title);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  const attempt = async (work: () => Promise<void>) => {
    setPending(true);
    setError(undefined);
    try {
      await work();
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };
  const make = (event?: FormEvent) => {
    event?.preventDefault();
    const chosen = "ids" in which ? { ids: [...which.ids] } : { filter: which.filter };
    void attempt(async () => {
      const most = limit === "" ? {} : { limit: Number(limit) };
      const plan = await fileflow().dlq.plan({ ...chosen, ...most });
      setStep({ kind: "look", plan, rate: Number(rate) });
    });
  };
  const send = (plan: RedrivePlan, ratePerSecond: number) =>
    void attempt(async () => {
      const why = reason.trim() === "" ? {} : { reason: reason.trim() };
      const started = await sent(fileflow().dlq.redriveMany({ planId: plan.planId, ratePerSecond, ...why }));
      onSent();
      setStep({ kind: "sent", redrive: started });
      await followRedrive(started, (redrive) => setStep({ kind: "sent", redrive }));
      await queryClient.invalidateQueries();
    });
  const isStale =
    error instanceof RefusedError && (error.code === "PLAN_NOT_FOUND" || error.code === "PLAN_USED");

  return (
    <Dialog title={say.title} onClose={onClose} wide isHeld={isPending && step.kind !== "sent"}>
      {step.kind === "ask" && (
        <form onSubmit={make} className="flex flex-col gap-4">
          <p className="text-soft">{say.intro}</p>
          <Facts>
            <Fact name={say.which}>
              <Which which={which} />
            </Fact>
          </Facts>
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              label={say.rate}
              hint={say.rateHint}
              type="number"
              min={0.1}
              max={1_000}
              step="any"
              required
              value={rate}
              onChange={(event) => setRate(event.target.value)}
            />
            <TextField
              label={say.limit}
              hint={say.limitHint}
              type="number"
              min={1}
              max={100_000}
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          </div>
          <TextField
            label={common.reasonOptional}
            hint={common.reasonHint}
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            data-autofocus
          />
          <DialogButtons onClose={onClose} isPending={isPending}>
            <Button tone="primary" type="submit" disabled={isPending}>
              {isPending ? common.pending : say.make}
            </Button>
          </DialogButtons>
        </form>
      )}
      {step.kind === "look" && (
        <>
          <PlanView plan={step.plan} rate={step.rate} />
          <DialogButtons onClose={onClose} isPending={isPending}>
            {isStale ? (
              <Button tone="primary" disabled={isPending} onClick={() => make()}>
                {say.again}
              </Button>
            ) : (
              <Button tone="primary" disabled={isPending} onClick={() => send(step.plan, step.rate)}>
                {isPending ? common.pending : say.send(number(step.plan.total))}
              </Button>
            )}
          </DialogButtons>
        </>
      )}
      {step.kind === "sent" && (
        <>
          <RedriveProgress redrive={step.redrive} />
          {step.redrive.state === "RUNNING" && <p className="text-soft">{say.goesOn}</p>}
          <DialogButtons onClose={onClose} isPending={false} />
        </>
      )}
      {error !== undefined && <Problem error={error} of={step.kind === "ask" ? "question" : "decision"} />}
    </Dialog>
  );
}

function Which({ which }: { which: RedriveWhich }) {
  const { redrive: say } = useFileflowWords();
  const number = useNumber();
  if ("ids" in which) return say.selected(number(which.ids.length));
  const given = Object.values(which.filter).filter((value) => value !== undefined);
  return given.length === 0 ? say.allDead : `${say.with} ${given.join(", ")}`;
}

function PlanView({ plan, rate }: { plan: RedrivePlan; rate: number }) {
  const { redrive: say } = useFileflowWords();
  const words = useWords();
  const number = useNumber();
  return (
    <>
      <Facts>
        <Fact name={say.total}>
          <strong>{number(plan.total)}</strong>
        </Fact>
        {plan.leftOut > 0 && (
          <Fact name={say.leftOut}>
            {number(plan.leftOut)} <span className="text-xs text-faint">{say.leftOutHint}</span>
          </Fact>
        )}
        <Fact name={say.byError}>
          {Object.entries(plan.byError).map(([code, count]) => (
            <p key={code}>
              <span className="font-mono">{code}</span> {number(count)}
            </p>
          ))}
        </Fact>
        <Fact name={say.rate}>{number(rate)}</Fact>
        <Fact name={say.takes}>{spanText(Math.max(1, plan.total / rate) * 1_000, words)}</Fact>
        <Fact name={say.expires}>
          <Time at={plan.expiresAt} show="both" />
        </Fact>
      </Facts>
      <div>
        <h3 className="text-xs font-semibold text-faint">{say.sample}</h3>
        <ul className="text-xs">
          {plan.sample.map(({ id, error, receivedAt }) => (
            <li key={id} className="flex flex-wrap gap-x-3">
              <span className="font-mono wrap-anywhere">{id}</span>
              <span className="font-mono">{error}</span>
              <Time at={receivedAt} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
