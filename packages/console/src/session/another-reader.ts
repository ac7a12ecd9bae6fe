import type { Me } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { meQuery } from "./session.ts";

const actorNow = () => queryClient.getQueryData<Me | null>(meQuery.queryKey)?.actor;

/**
 * Calls `forget` when another person has signed in on this page, who must not see what the previous person did. A person
 * who signs in again after their session ended finds everything unchanged.
 */
export function onAnotherReader(forget: () => void): void {
  let last = actorNow();
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== meQuery.queryKey[0]) return;
    const actor = actorNow();
    if (actor === undefined || actor === last) return;
    // A person who adds a name to their login is the same person.
    if (last !== undefined && !actor.startsWith(`${last} (`)) forget();
    last = actor;
  });
}
