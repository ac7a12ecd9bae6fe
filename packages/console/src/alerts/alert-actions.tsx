import { useMutation } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type Alert, api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { MenuButton } from "../ui/menu-button.tsx";
import { notify } from "../ui/notice.ts";
import { Problem } from "../ui/problem.tsx";

/** The durations of a snooze, from a short meeting to a whole day. */
const SNOOZES = ["30m", "1h", "4h", "12h", "1d"] as const;
type Snooze = (typeof SNOOZES)[number];

/** Acknowledges or snoozes an alert. */
export function useAlertActions() {
  const { alerts: say } = useWords();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["alerts"] });
  const acknowledge = useMutation({
    mutationFn: (id: string) => api().alerts.acknowledge({ id }),
    onSuccess: () => notify(say.acknowledged),
    onSettled,
  });
  const snooze = useMutation({
    mutationFn: ({ id, span }: { id: string; span: Snooze }) => api().alerts.snooze({ id, for: span }),
    onSuccess: (_alert, { span }) => notify(say.snoozed(say.spans[span])),
    onSettled,
  });
  return { acknowledge, snooze };
}

export function AlertActions({ alert: { id, acknowledged, snoozed } }: { alert: Alert }) {
  const { alerts: say } = useWords();
  const mayAct = useAllowed({ permission: "queue.operate", whole: true });
  const { acknowledge, snooze } = useAlertActions();
  const isPending = acknowledge.isPending || snooze.isPending;
  const error = acknowledge.error ?? snooze.error;
  if (!mayAct) return null;
  return (
    <>
      {!acknowledged && (
        <Button
          icon={<Check size={15} aria-hidden="true" />}
          disabled={isPending}
          onClick={() => acknowledge.mutate(id)}
        >
          {say.acknowledge}
        </Button>
      )}
      {!snoozed && (
        <MenuButton
          label={say.snooze}
          isDisabled={isPending}
          choices={SNOOZES.map((span) => ({
            label: say.spans[span],
            onChoose: () => snooze.mutate({ id, span }),
          }))}
        />
      )}
      {error && <Problem error={error} of="decision" />}
    </>
  );
}
