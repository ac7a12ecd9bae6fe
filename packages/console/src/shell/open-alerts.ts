import { queries, useLiveQuery } from "../api/queries.ts";
import { useAllowed } from "../session/session.ts";

/** The number of open alerts; 0 for a key with a scope, which cannot see alerts. */
export function useOpenAlerts(): number {
  const maySee = useAllowed({ permission: "queue.read", whole: true });
  const { data } = useLiveQuery({ ...queries.alerts("firing", 1), enabled: maySee });
  return data?.total ?? 0;
}
