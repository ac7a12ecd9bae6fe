import { RefusedError } from "@andon/client";
import { QueryCache, QueryClient } from "@tanstack/react-query";

const MOST_TRIES = 2;

/** Retries only calls that did not get an answer or failed in the server. A 4xx refusal is final. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  return failures < MOST_TRIES && !(error instanceof RefusedError && error.status < 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthAnotherTry, retryDelay: 1_000, networkMode: "always", staleTime: 1_000 },
    mutations: { networkMode: "always" },
  },
  queryCache: new QueryCache({
    onError: (error, query) => {
      const isSignedOut = error instanceof RefusedError && error.status === 401;
      if (isSignedOut && query.queryKey[0] !== "me") void queryClient.invalidateQueries({ queryKey: ["me"] });
    },
  }),
});
