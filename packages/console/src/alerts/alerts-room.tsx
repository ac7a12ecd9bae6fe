import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { notify } from "../ui/notice.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { AlertCard } from "./alert-card.tsx";

/** What is open comes first: it may be the reason why somebody looks. */
const STATES = ["firing", "resolved", "all"] as const;

export default function AlertsRoom() {
  const { alerts: say, common } = useWords();
  const { search, page, change, narrow } = useAddress();
  const state = STATES.find((each) => each === search.state) ?? "firing";
  const query = useLiveQuery(queries.alerts(state === "all" ? undefined : state, page));
  // A message links to one alert: it is shown above the list, whatever its state.
  const linked = useQuery({
    queryKey: ["alerts", "one", search.alert],
    queryFn: () => api().alerts.show({ id: search.alert ?? "" }),
    enabled: search.alert !== undefined,
  });
  const mayTest = useAllowed({ permission: "queue.operate", whole: true });
  const test = useMutation({
    mutationFn: () => api().alerts.test(),
    onSuccess: () => {
      notify(say.tested);
      // It is resolved as soon as it is sent, so it is not among the open ones.
      narrow({ state: "all" });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["alerts"] }),
  });
  return (
    <>
      <PageHead title={say.title}>
        {STATES.map((each) => (
          <Button
            key={each}
            tone={each === state ? "primary" : "plain"}
            aria-pressed={each === state}
            onClick={() => narrow({ state: each })}
          >
            {each === "all" ? common.all : say[each]}
          </Button>
        ))}
        {mayTest && (
          <Button disabled={test.isPending} onClick={() => test.mutate()}>
            {say.test}
          </Button>
        )}
      </PageHead>
      {test.error && <Problem error={test.error} of="decision" />}
      {linked.error && <Problem error={linked.error} of="page" />}
      {linked.data && (
        <div className="mb-3">
          <AlertCard alert={linked.data} />
        </div>
      )}
      <Loaded query={query} rows={6}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={state === "firing" ? say.noneOpen : say.none} hint={say.noneHint} />
          ) : (
            <>
              <ul className="flex flex-col gap-3">
                {data.items.map((alert) => (
                  <li key={alert.id}>
                    <AlertCard alert={alert} />
                  </li>
                ))}
              </ul>
              <Paging page={data} onPage={(next) => change({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
