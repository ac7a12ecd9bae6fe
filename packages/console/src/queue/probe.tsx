import { useQuery } from "@tanstack/react-query";
import { api, type JobDetail, type QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { Time } from "../ui/time.tsx";

/** The probe of a degraded queue; undefined where there is none, or it is another tenant's. */
export function useProbe({ probeJobId }: QueueOverview): JobDetail | undefined {
  const { data } = useLiveQuery({ ...queries.job(probeJobId ?? ""), enabled: probeJobId !== null });
  return data;
}

/** While it runs or waits for a worker there is nothing to hurry. */
export function canTryNow(probe: JobDetail | undefined): probe is JobDetail {
  return probe?.actions.includes("run-now") ?? false;
}

/** When the destination is tried next, and how many tries are left before the queue stops. */
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

/** The way back from an outage that is over: the probe alone tests the destination, and opens the queue itself. */
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
