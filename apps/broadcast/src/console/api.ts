import type { Answer } from "@andon/client";
import { clientFor, keepPreviousData } from "@andon/console/room";
import { BROADCAST_ROUTES } from "../contract/routes.ts";

type Routes = typeof BROADCAST_ROUTES;

/** The client of this app's own routes. Answers come in the reader's language. */
export const broadcast = clientFor(BROADCAST_ROUTES);

export type BulkJob = Answer<Routes["bulkJobs"]["show"]>;
export type BulkState = BulkJob["state"];

const JOBS = "/broadcast/jobs";
/** The list of jobs in this state; without a state, of all jobs. */
export const jobsIn = (state: string | undefined) =>
  state === undefined ? JOBS : `${JOBS}?${new URLSearchParams({ state })}`;
export const jobAddress = (id: string) => `${JOBS}/${id}`;
export const JOBS_ADDRESS = "/broadcast/jobs";

type Asked = { signal: AbortSignal };
const list = { placeholderData: keepPreviousData };
const PER_PAGE = 50;

export const broadcastQueries = {
  jobs: (state: BulkState | undefined, page: number) => ({
    ...list,
    queryKey: ["broadcast", "jobs", state, page],
    queryFn: ({ signal }: Asked) =>
      broadcast().bulkJobs.list({ ...(state ? { state } : {}), page, limit: PER_PAGE }, { signal }),
  }),
  job: (id: string) => ({
    queryKey: ["broadcast", "job", id],
    queryFn: ({ signal }: Asked) => broadcast().bulkJobs.show({ id }, { signal }),
  }),
  audience: (id: string, page: number) => ({
    ...list,
    queryKey: ["broadcast", "audience", id, page],
    queryFn: ({ signal }: Asked) => broadcast().bulkJobs.audience({ id, page, limit: 20 }, { signal }),
  }),
  pushes: (jobId: string, page: number) => ({
    ...list,
    queryKey: ["broadcast", "pushes", jobId, page],
    queryFn: ({ signal }: Asked) => broadcast().written.pushes({ jobId, page, limit: 20 }, { signal }),
  }),
  lastImport: {
    ...list,
    queryKey: ["broadcast", "imports"],
    queryFn: ({ signal }: Asked) => broadcast().channels.imports({ page: 1, limit: 1 }, { signal }),
  },
  channels: (page: number) => ({
    ...list,
    queryKey: ["broadcast", "channels", page],
    queryFn: ({ signal }: Asked) => broadcast().channels.list({ page, limit: PER_PAGE }, { signal }),
  }),
};
