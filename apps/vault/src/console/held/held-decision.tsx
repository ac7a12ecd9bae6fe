import {
  Button,
  Dialog,
  Field,
  Loaded,
  notify,
  Problem,
  queryClient,
  useAllowed,
  useQuery,
  useReason,
  useWords,
} from "@andon/console/room";
import { type FormEvent, useState } from "react";
import { type Choice, vault } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { useNasLine } from "../nas-line.tsx";
import { vaultQueries } from "../queries.ts";
import { Simulator } from "./simulator.tsx";

interface HeldDecisionProps {
  readonly fileId: string;
  readonly name: string;
  readonly onClose: () => void;
}

type Action = Choice["action"];

function decide(action: Action, fileId: string, reason: string): Promise<{ message: string }> {
  const { retry, skip, cancel } = vault().syncQueue;
  if (action === "retry") return retry({ fileId, ...(reason ? { reason } : {}) });
  return (action === "skip" ? skip : cancel)({ fileId, reason });
}

/** The decision about a held file: the three choices side by side with their outcomes, then the reason. */
export function HeldDecision({ fileId, name, onClose }: HeldDecisionProps) {
  const { held: say } = useVaultWords();
  const query = useQuery(vaultQueries.simulation(fileId));
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const [chosen, setChosen] = useState<Action>();
  const [isPending, setPending] = useState(false);
  return (
    <Dialog
      title={mayDecide ? say.ofDecide(name) : say.ofLook(name)}
      onClose={onClose}
      wide
      isHeld={isPending}
    >
      <Loaded query={query}>
        {(simulation) => {
          // No choice is preselected if a retry is known to fail again: the other choices leave the bytes where they
          // are.
          const action = chosen ?? (simulation.occupied ? undefined : "retry");
          return (
            <>
              <Simulator
                simulation={simulation}
                chosen={mayDecide ? action : undefined}
                onChoose={mayDecide ? setChosen : undefined}
              />
              {mayDecide && (
                <ReasonForm
                  fileId={fileId}
                  name={name}
                  action={action}
                  isPending={isPending}
                  setPending={setPending}
                  onClose={onClose}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

interface ReasonFormProps {
  readonly fileId: string;
  readonly name: string;
  /** Undefined: nothing is chosen yet. */
  readonly action: Action | undefined;
  readonly isPending: boolean;
  readonly setPending: (isPending: boolean) => void;
  readonly onClose: () => void;
}

function ReasonForm({ fileId, name, action, isPending, setPending, onClose }: ReasonFormProps) {
  const { held: say } = useVaultWords();
  const { act, common } = useWords();
  const line = useNasLine();
  const stands = line === "stopped" || line === "paused";
  const { reason, setReason, sent } = useReason(say.ofDecide(name));
  const [error, setError] = useState<unknown>();
  const isNeeded = action !== undefined && action !== "retry";
  const isReady = !isPending && action !== undefined && (!isNeeded || reason.trim() !== "");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || !action) return;
    setPending(true);
    setError(undefined);
    try {
      const { message } = await sent(decide(action, fileId, reason.trim()));
      notify(stands ? `${message} ${act.nextResume}` : message);
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
      void queryClient.invalidateQueries();
    }
  };
  return (
    <form
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      className="flex flex-col gap-3"
    >
      {isNeeded && <p className="text-soft">{say.asked}</p>}
      {stands && <p className="text-soft">{act.effect.queueStands}</p>}
      <Field label={isNeeded ? common.reasonRequired : common.reasonOptional} hint={common.reasonHint}>
        {(field) => (
          <textarea
            {...field}
            rows={2}
            maxLength={2_000}
            required={isNeeded}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {error !== undefined && <Problem error={error} of="decision" />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isPending} onClick={onClose}>
          {common.close}
        </Button>
        <Button tone="primary" type="submit" disabled={!isReady}>
          {isPending ? common.pending : action ? say.action[action] : say.choose}
        </Button>
      </div>
    </form>
  );
}
