import apps from "virtual:installed-apps";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileSearch, Gauge, History, ListTree } from "lucide-react";
import { queries } from "../api/queries.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { isAllowed, runs, useAllowed, useMe } from "../session/session.ts";
import { useMenu } from "../shell/menu.tsx";
import { jobIdIn } from "../shell/search.tsx";
import { lampOf } from "../ui/lamp.tsx";
import { jobPath, jobsPath, queuePath } from "../ui/link.tsx";
import { type Choice, type ChoiceGroup, isNamed } from "./choice.ts";
import { recentPages } from "./recent.ts";

const MOST_PLACES = 6;
/** Fewer characters match nearly everything. */
const FEWEST_SEARCHED = 2;

export interface Found {
  /** Known without a request, so that the first choice does not change when a person presses Enter. */
  readonly known: readonly ChoiceGroup[];
  /** The results of the server and the apps. */
  readonly found: readonly ChoiceGroup[];
  /** True while an answer is missing. */
  readonly isSearching: boolean;
  /** The names of the searches that failed. */
  readonly failed: readonly string[];
}

/** Places known without a request, and results of the server and the apps. `settled` is the typed text after a pause. */
export function useFound(typed: string, settled: string): Found {
  const { palette: say, shell, state, lamp } = useWords();
  const language = useLanguage();
  const navigate = useNavigate();
  const me = useMe();
  const menu = useMenu();
  const maySee = useAllowed({ permission: "queue.read" });
  const { data: queues } = useQuery({ ...queries.queues(1), enabled: maySee });
  const isSearched = settled.length >= FEWEST_SEARCHED;
  const jobs = useQuery({ ...queries.foundJobs(settled.replace(/^#/, "")), enabled: maySee && isSearched });
  const searching = apps.filter(
    ({ name, search }) => search && runs(me, { app: name }) && isAllowed(me, search),
  );
  const ofApps = useQueries({
    queries: searching.map(({ name, search }) => ({
      queryKey: [name, "found", settled],
      enabled: isSearched,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await search?.load())?.default(settled, { signal }) ?? [],
    })),
  });

  const goTo = (path: string) => () => {
    const { pathname, search } = new URL(path, location.origin);
    void navigate({ to: pathname, search: Object.fromEntries(new URLSearchParams(search)) as never });
  };
  const id = jobIdIn(typed);
  const byId: Choice[] = id
    ? [{ id: "job-by-id", label: shell.openJob(id), icon: ListTree, go: goTo(jobPath(id)) }]
    : [];
  const foundJobs = (isSearched ? (jobs.data?.items ?? []) : [])
    .filter((job) => job.id !== id && job.ticket !== id)
    .map(
      (job): Choice => ({
        id: `job-${job.id}`,
        label: `#${job.ticket} ${job.about ?? job.keys.join(", ")}`.trim(),
        hint: `${job.queue} · ${job.name} · ${state[job.state]}`,
        icon: ListTree,
        go: goTo(jobPath(job.id)),
      }),
    );
  const list: Choice[] =
    maySee && isSearched && !id
      ? [
          {
            id: "job-list",
            label: say.listOf(settled),
            icon: ListTree,
            go: goTo(jobsPath({ text: settled })),
          },
        ]
      : [];
  const named = (queues?.items ?? [])
    .filter(({ queue }) => isNamed(typed, queue))
    .slice(0, MOST_PLACES)
    .map(
      (each): Choice => ({
        id: `queue-${each.queue}`,
        label: each.queue,
        hint: lamp[lampOf(each)],
        icon: Gauge,
        go: goTo(queuePath(each.queue)),
      }),
    );
  const rooms = menu
    .filter(({ label }) => isNamed(typed, label.en, label.ko))
    .slice(0, typed === "" ? menu.length : MOST_PLACES)
    .map(
      ({ path, label, icon }): Choice => ({
        id: `room-${path}`,
        label: label[language],
        icon,
        go: goTo(path),
      }),
    );
  const recent =
    typed === ""
      ? recentPages().map(
          ({ label, path }): Choice => ({ id: `recent-${path}`, label, icon: History, go: goTo(path) }),
        )
      : [];
  const things = searching.flatMap(({ name, search }, index): ChoiceGroup[] =>
    search
      ? [
          {
            title: search.label[language],
            choices: (isSearched ? (ofApps[index]?.data ?? []) : []).map(({ label, hint, path }) => ({
              id: `${name}-${path}`,
              label,
              hint,
              icon: FileSearch,
              go: goTo(path),
            })),
          },
        ]
      : [],
  );
  const failed = [
    ...(jobs.isError ? [say.jobs] : []),
    ...searching.flatMap(({ search }, index) =>
      search && ofApps[index]?.isError ? [search.label[language]] : [],
    ),
  ];
  return {
    known: [
      { title: say.recent, choices: recent },
      { title: say.jobs, choices: byId },
      { title: say.queues, choices: named },
      { title: say.pages, choices: rooms },
    ],
    found: [{ title: say.jobs, choices: [...foundJobs, ...list] }, ...things],
    isSearching:
      typed !== settled || (isSearched && (jobs.isFetching || ofApps.some(({ isFetching }) => isFetching))),
    failed,
  };
}
