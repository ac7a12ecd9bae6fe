import type { QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useAllowed } from "../session/session.ts";

export type IsUnworked = (queue: QueueOverview) => boolean;

/**
 * Whether the jobs of an open queue wait because it has no worker. A stopped queue has another reason. Workers belong to
 * all tenants: a key with a scope does not see them, so the result is then always false.
 */
export function useUnworked(): IsUnworked {
  const maySee = useAllowed({ permission: "queue.read", whole: true });
  const { data: worked } = useLiveQuery({ ...queries.workedQueues(), enabled: maySee });
  return ({ queue, state, waiting }) =>
    worked !== undefined && state === "open" && waiting > 0 && !worked.includes(queue);
}
