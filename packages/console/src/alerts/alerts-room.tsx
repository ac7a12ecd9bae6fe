import { useMutation } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { useAddress } from "../kit/address.ts";
import { Button } from "../kit/button.tsx";
import { Empty } from "../kit/empty.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { notify } from "../kit/notice.tsx";
import { Paging } from "../kit/paging.tsx";
import { PageHead } from "../kit/panel.tsx";
import { Problem } from "../kit/problem.tsx";
import { useAllowed } from "../session/session.ts";
import { useWords } from "../words/words.ts";
import { AlertCard } from "./alert-card.tsx";

/** What is open comes first: it may be the reason why somebody looks. */
const STATES = ["firing", "resolved", "all"] as const;

export default function AlertsRoom() {
  const { alerts: say, common } = useWords();
  const { search, page, change, narrow } = useAddress();
  const state = STATES.find((each) => each === search.state) ?? "firing";
  const query = useLiveQuery(queries.alerts(state === "all" ? undefined : state, page));
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
