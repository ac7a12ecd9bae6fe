import { useMutation, useQuery } from "@tanstack/react-query";
import { type Alert, api } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { focusedRow, useKeys } from "../ui/keyboard.ts";
import { Link, queuePath } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { notify } from "../ui/notice.ts";
import { Paging } from "../ui/paging.tsx";
import { PageHead, Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { Segment, Segments } from "../ui/segments.tsx";
import { useAlertActions } from "./alert-actions.tsx";
import { groupAlerts } from "./alert-groups.ts";
import { AlertRow } from "./alert-row.tsx";
import { ALERT_STATES, alertStateOf } from "./alert-state.ts";

export default function AlertsRoom() {
  const { alerts: say, common } = useWords();
  const { search, page, change, narrow } = useAddress();
  const asked = alertStateOf(search);
  const state = asked ?? "all";
  const query = useLiveQuery(queries.alerts(asked, page));
  // A message links to one alert: it is shown above the list, whatever its state.
  const linked = useQuery({
    queryKey: ["alerts", "one", search.alert],
    queryFn: () => api().alerts.show({ id: search.alert ?? "" }),
    enabled: search.alert !== undefined,
  });
  const mayTest = useAllowed({ permission: "queue.operate", whole: true });
  useAlertKeys(mayTest);
  const test = useMutation({
    mutationFn: () => api().alerts.test(),
    onSuccess: () => {
      notify(say.tested);
      // A test alert is resolved as it is sent, so the list of open alerts does not have it.
      narrow({ state: "all" });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["alerts"] }),
  });
  return (
    <>
      <PageHead title={say.title}>
        <Segments label={say.show}>
          {ALERT_STATES.map((each) => (
            <Segment key={each} isChosen={each === state} onChoose={() => narrow({ state: each })}>
              {each === "all" ? common.all : say[each]}
            </Segment>
          ))}
        </Segments>
        {mayTest && (
          <Button disabled={test.isPending} onClick={() => test.mutate()}>
            {say.test}
          </Button>
        )}
      </PageHead>
      {test.error && <Problem error={test.error} of="decision" />}
      {linked.error && <Problem error={linked.error} of="page" />}
      {linked.data && (
        <section aria-label={say.title} className="rounded-lg border border-accent bg-panel shadow-panel">
          <h2 className="sr-only">{say.title}</h2>
          <AlertRow alert={linked.data} isLinked />
        </section>
      )}
      <Loaded query={query} rows={6}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={state === "firing" ? say.noneOpen : say.none} hint={say.noneHint} />
          ) : (
            <>
              <AlertList alerts={data.items} />
              <Paging page={data} onPage={(next) => change({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** The alerts by group, then by queue. */
function AlertList({ alerts }: { alerts: readonly Alert[] }) {
  const { alerts: say } = useWords();
  return groupAlerts(alerts).map(({ group, count, queues }) => (
    <Panel key={group} title={say.groups[group](count)}>
      {queues.map((each) => (
        <section
          key={each.queue}
          aria-label={each.queue || say.noQueue}
          className="not-first:border-t border-line"
        >
          <p className="px-4 pt-3 text-xs font-medium text-faint">
            {each.queue === "" ? (
              say.noQueue
            ) : (
              <Link
                to={queuePath(each.queue)}
                className="inline-block min-h-6 font-semibold text-soft hover:underline"
              >
                {each.queue}
              </Link>
            )}
          </p>
          <ul className="divide-y divide-line">
            {each.alerts.map((alert) => (
              <li key={alert.id}>
                <AlertRow alert={alert} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  ));
}

/** Keys for the row that has the focus: `a` acknowledges, `z` snoozes for an hour. */
function useAlertKeys(mayAct: boolean): void {
  const { acknowledge, snooze } = useAlertActions();
  const onRow = (act: (id: string) => void) => () => {
    const id = focusedRow()?.dataset.row;
    if (mayAct && id) act(id);
  };
  useKeys({
    a: onRow((id) => acknowledge.mutate(id)),
    z: onRow((id) => snooze.mutate({ id, span: "1h" })),
  });
}
