import { useMutation } from "@tanstack/react-query";
import { type Alert, api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { Time } from "../ui/time.tsx";

/** Who has taken an alert up, and the buttons for whoever does so now. */
export function AlertActions({ alert }: { alert: Alert }) {
  const { alerts: say } = useWords();
  const mayAct = useAllowed({ permission: "queue.operate", whole: true });
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["alerts"] });
  const acknowledge = useMutation({
    mutationFn: () => api().alerts.acknowledge({ id: alert.id }),
    onSuccess: () => notify(say.acknowledged),
    onSettled,
  });
  const snooze = useMutation({
    mutationFn: () => api().alerts.snooze({ id: alert.id, for: "1h" }),
    onSuccess: () => notify(say.snoozed),
    onSettled,
  });
  const isPending = acknowledge.isPending || snooze.isPending;
  const error = acknowledge.error ?? snooze.error;
  const { acknowledged, snoozed, resolvedAt } = alert;
  return (
    <>
      {acknowledged && (
        <p className="mt-1 text-xs text-soft">
          {say.acknowledgedBy(acknowledged.by)} <Time at={acknowledged.at} show="both" />
          {acknowledged.reason && ` · ${acknowledged.reason}`}
        </p>
      )}
      {snoozed && (
        <p className="mt-1 text-xs text-soft">
          {say.snoozedBy(snoozed.by)} <Time at={snoozed.until} show="absolute" />
        </p>
      )}
      {mayAct && resolvedAt === null && (
        <p className="mt-2 flex flex-wrap gap-2">
          {!acknowledged && (
            <Button disabled={isPending} onClick={() => acknowledge.mutate()}>
              {say.acknowledge}
            </Button>
          )}
          {!snoozed && (
            <Button disabled={isPending} onClick={() => snooze.mutate()}>
              {say.snooze}
            </Button>
          )}
        </p>
      )}
      {error && <Problem error={error} of="decision" />}
    </>
  );
}
