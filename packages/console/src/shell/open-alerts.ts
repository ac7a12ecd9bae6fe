import { queries, useLiveQuery } from "../api/queries.ts";
import { useAllowed } from "../session/session.ts";

/** How many alerts are open; 0 for a key with a scope, which does not see them. */
export function useOpenAlerts(): number {
  const maySee = useAllowed({ permission: "queue.read", whole: true });
  const { data } = useLiveQuery({ ...queries.alerts("firing", 1), enabled: maySee });
  return data?.total ?? 0;
}
