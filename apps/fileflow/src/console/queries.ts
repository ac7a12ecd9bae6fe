import { api, keepPreviousData } from "@andon/console/room";
import { fileflow } from "./api.ts";
import type { LetterSearch } from "./dlq/letter-search.ts";
import type { ExecutionSearch } from "./executions/execution-search.ts";
import { MetricSamples } from "./figures/metric-samples.ts";

type Asked = { signal: AbortSignal };

/** Lists keep their rows until the next page or filter has loaded. */
const list = { placeholderData: keepPreviousData };
const PER_PAGE = 50;

/** Every key begins with the app's name, so every event of the app's queue makes all of these stale. */
export const fileflowQueries = {
  executions: (search: ExecutionSearch, page: number) => ({
    ...list,
    queryKey: ["fileflow", "executions", search, page],
    queryFn: ({ signal }: Asked) =>
      fileflow().executions.list({ ...search, page, limit: PER_PAGE }, { signal }),
  }),
  counts: () => ({
    queryKey: ["fileflow", "counts"],
    queryFn: ({ signal }: Asked) => fileflow().executions.counts({}, { signal }),
  }),
  metrics: () => ({
    queryKey: ["fileflow", "metrics"],
    queryFn: async ({ signal }: Asked) => new MetricSamples(await api().system.metrics({}, { signal })),
  }),
  execution: (id: string) => ({
    queryKey: ["fileflow", "execution", id],
    queryFn: ({ signal }: Asked) => fileflow().executions.show({ id }, { signal }),
  }),
  logs: (id: string) => ({
    queryKey: ["fileflow", "logs", id],
    queryFn: ({ signal }: Asked) => fileflow().executions.logs({ id }, { signal }),
  }),
  extractions: (id: string, page: number) => ({
    ...list,
    queryKey: ["fileflow", "extractions", id, page],
    queryFn: ({ signal }: Asked) => fileflow().executions.extractions({ id, page, limit: 20 }, { signal }),
  }),
  pipelines: (page: number) => ({
    ...list,
    queryKey: ["fileflow", "pipelines", page],
    queryFn: ({ signal }: Asked) => fileflow().pipelines.list({ page, limit: PER_PAGE }, { signal }),
  }),
  schedules: (page: number) => ({
    ...list,
    queryKey: ["fileflow", "schedules", page],
    queryFn: ({ signal }: Asked) => fileflow().pipelineSchedules.list({ page, limit: PER_PAGE }, { signal }),
  }),
  letters: (search: LetterSearch, page: number) => ({
    ...list,
    queryKey: ["fileflow", "letters", search, page],
    queryFn: ({ signal }: Asked) => fileflow().dlq.list({ ...search, page, limit: PER_PAGE }, { signal }),
  }),
  letter: (id: string) => ({
    queryKey: ["fileflow", "letter", id],
    queryFn: ({ signal }: Asked) => fileflow().dlq.show({ id }, { signal }),
  }),
  letterCounts: () => ({
    queryKey: ["fileflow", "letterCounts"],
    queryFn: ({ signal }: Asked) => fileflow().dlq.counts({}, { signal }),
  }),
  redrives: () => ({
    ...list,
    queryKey: ["fileflow", "redrives"],
    queryFn: ({ signal }: Asked) => fileflow().dlq.redrives({ page: 1, limit: 5 }, { signal }),
  }),
};
