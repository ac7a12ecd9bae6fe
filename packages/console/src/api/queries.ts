import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import { askedTimes, type HistoryRange } from "../history/history-range.ts";
import { api, type JobDetail, type Operation } from "./client.ts";
import { useLiveState } from "./live.ts";

/** An added job has no event, so pages also poll; more often while there is no stream. */
const ASK_WHILE_LIVE_MS = 10_000;
const ASK_WITHOUT_STREAM_MS = 5_000;
const RUNNING_MS = 2_000;
const MOST_ON_A_PAGE = 100;

/** Polls, unless the reader has paused the page. */
export function useLiveQuery<T>(options: UseQueryOptions<T, Error, T, QueryKey>): UseQueryResult<T> {
  const { kind } = useLiveState();
  const interval = kind === "live" ? ASK_WHILE_LIVE_MS : ASK_WITHOUT_STREAM_MS;
  const isPaused = kind === "paused";
  return useQuery({
    ...options,
    refetchInterval: isPaused ? false : (options.refetchInterval ?? interval),
    refetchOnWindowFocus: !isPaused,
  });
}

/** Lists keep their rows until the next page or filter is loaded. */
const list = { placeholderData: keepPreviousData };

/** The filters of a list of jobs, in the format of the API. */
export interface JobSearch {
  readonly queue?: string | undefined;
  readonly state?: JobDetail["state"] | undefined;
  readonly name?: string | undefined;
  readonly key?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly code?: string | undefined;
  readonly text?: string | undefined;
}

type Asked = { signal: AbortSignal };

export interface AuditFilter {
  readonly target?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

export const queries = {
  queues: (page: number) => ({
    ...list,
    queryKey: ["queues", "list", page],
    queryFn: ({ signal }: Asked) => api().queues.list({ page, limit: MOST_ON_A_PAGE }, { signal }),
  }),
  /** Every queue, over all pages, because the stopped queue may be on any page. */
  allQueues: () => ({
    queryKey: ["queues", "all"],
    queryFn: async ({ signal }: Asked) => {
      const pageOf = (page: number) => api().queues.list({ page, limit: MOST_ON_A_PAGE }, { signal });
      const first = await pageOf(1);
      const others = Math.ceil(first.total / MOST_ON_A_PAGE) - 1;
      const rest = await Promise.all(Array.from({ length: others }, (_, n) => pageOf(n + 2)));
      return [first, ...rest].flatMap(({ items }) => items);
    },
  }),
  demo: () => ({
    queryKey: ["queues", "demo"],
    refetchInterval: RUNNING_MS,
    queryFn: ({ signal }: Asked) => api().demo.show({}, { signal }),
  }),
  recent: () => ({
    queryKey: ["recent"],
    refetchInterval: ASK_WHILE_LIVE_MS,
    queryFn: ({ signal }: Asked) => api().queues.recent({}, { signal }),
  }),
  /** Its key has no topic, so events do not refetch it: jobs may start and end a thousand times a second. */
  running: (queue: string | undefined, limit: number) => ({
    ...list,
    queryKey: ["running", queue],
    refetchInterval: RUNNING_MS,
    queryFn: ({ signal }: Asked) => api().jobs.running({ queue, limit }, { signal }),
  }),
  queue: (queue: string) => ({
    queryKey: ["queues", "one", queue],
    queryFn: ({ signal }: Asked) => api().queues.overview({ queue }, { signal }),
  }),
  history: (queue: string, range: HistoryRange) => ({
    ...list,
    queryKey: ["history", queue, range],
    // A day of minutes is a large answer, and a drawn range rarely changes: once a minute is enough.
    ...(range.kind === "preset" && range.name === "1h" ? {} : { refetchInterval: 60_000 }),
    queryFn: ({ signal }: Asked) =>
      api().queues.history({ queue, step: range.step, ...askedTimes(range, Date.now()) }, { signal }),
  }),
  failed: (queue: string, page: number) => ({
    ...list,
    queryKey: ["queues", "failed", queue, page],
    queryFn: ({ signal }: Asked) => api().queues.failed({ queue, page, limit: 20 }, { signal }),
  }),
  failedJob: (queue: string, jobId: string) => ({
    queryKey: ["queues", "failed-job", queue, jobId],
    queryFn: ({ signal }: Asked) => api().queues.failedJob({ queue, jobId }, { signal }),
  }),
  groups: (queue: string) => ({
    queryKey: ["queues", "groups", queue],
    queryFn: ({ signal }: Asked) => api().queues.fingerprints({ queue, limit: 10 }, { signal }),
  }),
  /** Its key has no topic, so an event does not call the destination again while a person reads the result. */
  rehearsal: (queue: string, retryFailed: boolean) => ({
    queryKey: ["rehearsal", queue, retryFailed],
    queryFn: ({ signal }: Asked) =>
      api().queues.rehearse({ queue, retryFailed: retryFailed ? "true" : "false" }, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
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
  /** Decisions over many jobs, newest first. Polled every second while one is running. */
  allOperations: () => ({
    queryKey: ["operations"],
    refetchInterval: ({
      state: { data },
    }: {
      state: { data?: { items: readonly Operation[] } | undefined };
    }) => (data?.items.some(({ state }) => state === "RUNNING") ? 1_000 : 10_000),
    queryFn: ({ signal }: Asked) => api().operations.list({ limit: 10 }, { signal }),
  }),
  operations: (queue: string) => ({
    queryKey: ["queues", "operations", queue],
    queryFn: ({ signal }: Asked) => api().operations.list({ queue, running: "true", limit: 10 }, { signal }),
  }),
  certificate: (queue: string, stopId: string) => ({
    queryKey: ["queues", "certificate", queue, stopId],
    queryFn: ({ signal }: Asked) => api().stops.certificate({ queue, stopId }, { signal }),
  }),
  jobs: (search: JobSearch, page: number, cursor?: string, isReversed = false) => ({
    ...list,
    queryKey: ["jobs", "list", search, page, cursor, isReversed],
    queryFn: ({ signal }: Asked) =>
      api().jobs.list(
        { ...search, page, cursor, ...(isReversed ? { reverse: "true" as const } : {}), limit: 50 },
        { signal },
      ),
  }),
  jobCounts: ({ state: _, ...search }: JobSearch) => ({
    ...list,
    queryKey: ["jobs", "counts", search],
    queryFn: ({ signal }: Asked) => api().jobs.counts(search, { signal }),
  }),
  /** The jobs that the palette shows for a text. */
  foundJobs: (text: string) => ({
    ...list,
    queryKey: ["jobs", "found", text],
    queryFn: ({ signal }: Asked) => api().jobs.list({ text, limit: 5 }, { signal }),
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
  audit: (filter: AuditFilter, page: number) => ({
    ...list,
    queryKey: ["audit", filter, page],
    queryFn: ({ signal }: Asked) => api().audit.list({ ...filter, page, limit: 50 }, { signal }),
  }),
  /** The newest decisions, for the names that a filter suggests. */
  latestDecisions: () => ({
    ...list,
    queryKey: ["audit", "latest"],
    queryFn: ({ signal }: Asked) => api().audit.list({ limit: 100 }, { signal }),
  }),
  /** The newest decisions about one thing, such as `queue:mail`. */
  decisionsAbout: (target: string, limit: number) => ({
    ...list,
    queryKey: ["audit", "about", target, limit],
    queryFn: ({ signal }: Asked) => api().audit.list({ target, limit }, { signal }),
  }),
  workers: (page: number) => ({
    ...list,
    queryKey: ["workers", page],
    queryFn: ({ signal }: Asked) => api().workers.list({ page, limit: 50 }, { signal }),
  }),
  /** Every queue with a worker, over all pages of workers. */
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
