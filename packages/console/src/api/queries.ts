import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import { api, type JobDetail } from "./client.ts";
import { useLiveState } from "./live.ts";

/** A job that is added makes no event, so a page also asks by itself, and more often while there is no stream. */
const ASK_WHILE_LIVE_MS = 10_000;
const ASK_WITHOUT_STREAM_MS = 5_000;

/** Asks again by itself, unless the reader has paused the page. */
export function useLiveQuery<T>(options: UseQueryOptions<T, Error, T, QueryKey>): UseQueryResult<T> {
  const { kind } = useLiveState();
  const interval = kind === "live" ? ASK_WHILE_LIVE_MS : ASK_WITHOUT_STREAM_MS;
  const isPaused = kind === "paused";
  return useQuery({
    ...options,
    refetchInterval: isPaused ? false : interval,
    refetchOnWindowFocus: !isPaused,
  });
}

/** Lists keep what they show until the next page or filter has come. */
const list = { placeholderData: keepPreviousData };

export interface JobSearch {
  readonly queue?: string | undefined;
  readonly state?: JobDetail["state"] | undefined;
  readonly key?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly text?: string | undefined;
}

type Asked = { signal: AbortSignal };

export const queries = {
  queues: (page: number) => ({
    ...list,
    queryKey: ["queues", "list", page],
    queryFn: ({ signal }: Asked) => api().queues.list({ page, limit: 100 }, { signal }),
  }),
  queue: (queue: string) => ({
    queryKey: ["queues", "one", queue],
    queryFn: ({ signal }: Asked) => api().queues.overview({ queue }, { signal }),
  }),
  failed: (queue: string, page: number) => ({
    ...list,
    queryKey: ["queues", "failed", queue, page],
    queryFn: ({ signal }: Asked) => api().queues.failed({ queue, page, limit: 20 }, { signal }),
  }),
  groups: (queue: string) => ({
    queryKey: ["queues", "groups", queue],
    queryFn: ({ signal }: Asked) => api().queues.fingerprints({ queue, limit: 10 }, { signal }),
  }),
  heldLanes: (queue: string, page: number) => ({
    ...list,
    queryKey: ["queues", "lanes", queue, page],
    queryFn: ({ signal }: Asked) =>
      api().lanes.list({ queue, held: "true", allTenants: "true", page, limit: 20 }, { signal }),
  }),
  stops: (queue: string, limit: number) => ({
    queryKey: ["queues", "stops", queue, limit],
    queryFn: ({ signal }: Asked) => api().stops.list({ queue, limit }, { signal }),
  }),
  operations: (queue: string) => ({
    queryKey: ["queues", "operations", queue],
    queryFn: ({ signal }: Asked) => api().operations.list({ queue, running: "true", limit: 10 }, { signal }),
  }),
  certificate: (queue: string, stopId: string) => ({
    queryKey: ["queues", "certificate", queue, stopId],
    queryFn: ({ signal }: Asked) => api().stops.certificate({ queue, stopId }, { signal }),
  }),
  jobs: (search: JobSearch, page: number, cursor?: string) => ({
    ...list,
    queryKey: ["jobs", "list", search, page, cursor],
    queryFn: ({ signal }: Asked) => api().jobs.list({ ...search, page, cursor, limit: 50 }, { signal }),
  }),
  job: (id: string) => ({
    queryKey: ["jobs", "one", id],
    queryFn: ({ signal }: Asked) => api().jobs.show({ id }, { signal }),
  }),
  alerts: (state: "firing" | "resolved" | undefined, page: number) => ({
    ...list,
    queryKey: ["alerts", state, page],
    queryFn: ({ signal }: Asked) =>
      api().alerts.list({ ...(state ? { state } : {}), page, limit: 20 }, { signal }),
  }),
  audit: (filter: { actor?: string; action?: string; target?: string }, page: number) => ({
    ...list,
    queryKey: ["audit", filter, page],
    queryFn: ({ signal }: Asked) => api().audit.list({ ...filter, page, limit: 50 }, { signal }),
  }),
  workers: (page: number) => ({
    ...list,
    queryKey: ["workers", page],
    queryFn: ({ signal }: Asked) => api().workers.list({ page, limit: 50 }, { signal }),
  }),
  /** Every queue that a worker works, over all pages of workers. */
  workedQueues: () => ({
    queryKey: ["workers", "queues"],
    queryFn: async ({ signal }: Asked) => {
      const worked = new Set<string>();
      for (let page = 1; ; page++) {
        const { items, total } = await api().workers.list({ page, limit: 100 }, { signal });
        for (const queue of items.flatMap(({ queues }) => queues)) worked.add(queue);
        if (items.length === 0 || page * 100 >= total) return [...worked];
      }
    },
  }),
  schedules: (page: number) => ({
    ...list,
    queryKey: ["schedules", page],
    queryFn: ({ signal }: Asked) => api().schedules.list({ page, limit: 50 }, { signal }),
  }),
  keys: (page: number) => ({
    ...list,
    queryKey: ["keys", page],
    queryFn: ({ signal }: Asked) => api().keys.list({ page, limit: 50 }, { signal }),
  }),
  sessions: () => ({
    ...list,
    queryKey: ["sessions"],
    queryFn: ({ signal }: Asked) => api().sessions.list({ page: 1, limit: 100 }, { signal }),
  }),
};
