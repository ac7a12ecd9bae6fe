import { RefusedError } from "@andon/client";
import { notifyManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { queryClient } from "./query-client.ts";
import { isUnanswered } from "./unanswered.ts";

export interface Stale {
  /** The time of the newest data from the server. */
  readonly since: number;
  /** True if the server does not answer at all. False if it answers that its store is away, which is shown at each query. */
  readonly isSilent: boolean;
}

let last: Stale | undefined;

/** Undefined while the page's last queries were answered. A refusal of one query does not make the page stale. */
export function useStale(): Stale | undefined {
  return useSyncExternalStore(
    (read) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(read)),
    stale,
  );
}

/** Returns the same object for equal content, because a new object causes a new render. */
function stale(): Stale | undefined {
  const states = queryClient
    .getQueryCache()
    .findAll({ type: "active" })
    .map(({ state }) => state);
  const errors = states.filter(({ status }) => status === "error").map(({ error }) => error);
  const isSilent = errors.some(isUnanswered);
  if (!isSilent && !errors.some(isWithoutStore)) return undefined;
  const since = Math.max(...states.map(({ dataUpdatedAt }) => dataUpdatedAt));
  if (last?.since !== since || last.isSilent !== isSilent) last = { since, isSilent };
  return last;
}

function isWithoutStore(error: unknown): boolean {
  return error instanceof RefusedError && error.code === "STORE_UNAVAILABLE";
}
