import type { Answer } from "@andon/client";
import { clientFor, keepPreviousData } from "@andon/console/room";
import { STUDIO_ROUTES } from "../contract/routes.ts";

type Routes = typeof STUDIO_ROUTES;

/** The client of this app's own routes. Answers come in the reader's language. */
export const studio = clientFor(STUDIO_ROUTES);

export type Task = Answer<Routes["tasks"]["show"]>;
export type ListedTask = Answer<Routes["tasks"]["list"]>["items"][number];
export type TaskImage = Task["images"][number];

/** Not `/tasks`, because the API itself answers there. */
export const TASKS_ADDRESS = "/studio/tasks";
/** The list of tasks of this tab; without a tab, of all tasks. */
export const tasksOf = (tab: string | undefined) =>
  tab === undefined ? TASKS_ADDRESS : `${TASKS_ADDRESS}?${new URLSearchParams({ tab })}`;

export const taskAddress = (id: string) => `${TASKS_ADDRESS}/${encodeURIComponent(id)}`;

/** The URLs from which the browser loads the bytes. */
export const filmAddress = (id: string) => `/tasks/${encodeURIComponent(id)}/video`;
export const imageAddress = (id: string, number: number) =>
  `/tasks/${encodeURIComponent(id)}/images/${number}`;
export const uploadAddress = (id: string) => `/tasks/${encodeURIComponent(id)}/images`;

type Asked = { signal: AbortSignal };
const PER_PAGE = 50;

export const studioQueries = {
  tasks: (tab: string | undefined, page: number) => ({
    queryKey: ["studio", "tasks", tab, page],
    queryFn: ({ signal }: Asked) =>
      studio().tasks.list({ ...(tab ? { tab } : {}), page, limit: PER_PAGE }, { signal }),
    placeholderData: keepPreviousData,
  }),
  counts: () => ({
    queryKey: ["studio", "counts"],
    queryFn: ({ signal }: Asked) => studio().tasks.counts({}, { signal }),
  }),
  task: (id: string) => ({
    queryKey: ["studio", "task", id],
    queryFn: ({ signal }: Asked) => studio().tasks.show({ id }, { signal }),
  }),
};
