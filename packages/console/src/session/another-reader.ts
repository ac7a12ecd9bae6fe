import type { Me } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { meQuery } from "./session.ts";

const actorNow = () => queryClient.getQueryData<Me | null>(meQuery.queryKey)?.actor;

/**
 * Calls back when somebody else has signed in on this page: what the one before did is not theirs to see. One whose
 * session ran out and who comes back finds everything as it was.
 */
export function onAnotherReader(forget: () => void): void {
  let last = actorNow();
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== meQuery.queryKey[0]) return;
    const actor = actorNow();
    if (actor === undefined || actor === last) return;
    // Who gives a name to a login is nobody else.
    if (last !== undefined && !actor.startsWith(`${last} (`)) forget();
    last = actor;
  });
}
