import { useQuery } from "@tanstack/react-query";
import { api, type JobDetail, type QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { Time } from "../ui/time.tsx";

/** The probe of a degraded queue; undefined if there is none, or if it belongs to another tenant. */
export function useProbe({ probeJobId }: QueueOverview): JobDetail | undefined {
  const { data } = useLiveQuery({ ...queries.job(probeJobId ?? ""), enabled: probeJobId !== null });
  return data;
}

/** False while the probe runs or already waits for a worker. */
export function canTryNow(probe: JobDetail | undefined): probe is JobDetail {
  return probe?.actions.includes("run-now") ?? false;
}

/** The time of the next attempt, and the number of attempts before the queue stops. */
export function NextTry({ probe }: { probe: JobDetail }) {
  const { queue: say } = useWords();
  const { due, mostAttempts } = probe.why.facts;
  const most = typeof mostAttempts === "number" ? mostAttempts : undefined;
  return (
    <>
      {typeof due === "string" ? <Time at={due} show="both" /> : say.tryNow},{" "}
      {say.tryNumber(probe.attempts + 1, most)}
    </>
  );
}

interface TryProbeProps {
  readonly queue: string;
  readonly probe: JobDetail;
  readonly onClose: () => void;
}

/** Runs the probe now, for an outage that is over: only the probe tests the destination, and its success opens the queue. */
export function TryProbe({ queue, probe: shown, onClose }: TryProbeProps) {
  const { act, common } = useWords();
  const { data: probe = shown } = useQuery(queries.job(shown.id));
  const isLast = probe.why.facts.mostAttempts === probe.attempts + 1;
  return (
    <DecisionDialog
      title={act.of.tryProbe(queue)}
      effects={[
        act.effect.tryProbe(probe.ticket),
        act.effect.probeOpens,
        isLast ? act.effect.probeStops : act.effect.probeStays,
        common.nothingElse,
      ]}
      confirm={act.tryProbe}
      reason="optional"
      decide={(reason) => api().jobs.runNow({ id: probe.id, ...(reason === undefined ? {} : { reason }) })}
      onClose={onClose}
    />
  );
}
