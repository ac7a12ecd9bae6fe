import { RefusedError } from "@andon/client";
import { notifyManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { queryClient } from "./query-client.ts";
import { isUnanswered } from "./unanswered.ts";

export interface Stale {
  /** When the server last told anything. */
  readonly since: number;
  /** It does not answer at all; else it answers that it cannot read its store, which is told where it was asked. */
  readonly isSilent: boolean;
}

let last: Stale | undefined;

/** Undefined while the page's last questions were answered. A refusal of one question says nothing about the others. */
export function useStale(): Stale | undefined {
  return useSyncExternalStore(
    (read) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(read)),
    stale,
  );
}

/** The same object as long as it says the same, since a page is drawn anew for another one. */
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
