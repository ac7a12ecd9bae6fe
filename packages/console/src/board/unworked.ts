import type { QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useAllowed } from "../session/session.ts";

export type IsUnworked = (queue: QueueOverview) => boolean;

/**
 * Tells of a queue whose jobs wait because no worker works it; one that stands has another reason. Workers are of all
 * tenants: a key with a scope does not see them, and nothing is claimed then.
 */
export function useUnworked(): IsUnworked {
  const maySee = useAllowed({ permission: "queue.read", whole: true });
  const { data: worked } = useLiveQuery({ ...queries.workedQueues(), enabled: maySee });
  return ({ queue, state, waiting }) =>
    worked !== undefined && state === "open" && waiting > 0 && !worked.includes(queue);
}
