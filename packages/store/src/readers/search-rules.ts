import { JOB_STATES, type JobState } from "@andon/contract";
import type { JobFilter } from "@andon/engine";
import type { StepContext } from "../steps/kit.ts";
import * as sources from "./search-sources.ts";
import type { PositionRange } from "./time-range.ts";

/** How many jobs a search with a filter looks at; what it did not look at, it says by `more`. */
export const MOST_LOOKED_AT = 2_000;
const DEFAULT_TENANT = "default";

/** A search and what is known before it starts. */
export interface Search {
  at: StepContext;
  filter: JobFilter;
  queues: readonly sources.SearchedQueue[];
  range: PositionRange;
  /** What is looked at is shared out between the places where jobs may be; else each page is in exact order. */
  isShared: boolean;
}

interface Rule {
  name: string;
  /** The first rule that fits is the narrowest one. */
  fits(search: Search): boolean;
  /** Jobs to look at, those that an index found first. Fewer than `most`: there are no others. */
  look(search: Search, most: number): Promise<number[]>;
  /** Members of the filter that `look` answers by itself; where that is all of them, nothing is left to compare. */
  answers: readonly (keyof JobFilter)[];
}

/** How many jobs of these states are stored where it is searched. */
export const storedIn = ({ queues }: Pick<Search, "queues">, states: readonly JobState[]) =>
  queues.reduce((sum, { counts }) => sum + states.reduce((jobs, state) => jobs + counts[state], 0), 0);

/** The same source for every queue that is searched. */
async function perQueue(
  search: Search,
  look: (queue: sources.SearchedQueue) => Promise<number[]>,
): Promise<number[]> {
  return (await Promise.all(search.queues.map(look))).flat();
}

/** In the order of the list of that state, where it is one of one queue. */
export const inState = ({ at, filter, queues, isShared }: Search, most: number) =>
  sources.newestJobs(at, sources.placesOf(queues, sources.statesOf(filter)), most, {
    shared: isShared,
    newestFirst: false,
  });

const newest = (search: Search, most: number, states: readonly JobState[] = JOB_STATES) =>
  search.filter.state === undefined
    ? sources.newestJobs(search.at, sources.placesOf(search.queues, states), most, {
        shared: search.isShared,
      })
    : inState(search, most);

/** States in which a job may still carry the error of its last try; a done one carries none. */
const IN_LINE: readonly JobState[] = ["scheduled", "blocked", "ready", "running"];

/** Where to look, by the narrowest member of the filter. */
export const RULES: readonly Rule[] = [
  {
    name: "ended jobs with a fingerprint",
    fits: ({ filter: { fingerprint, state } }) =>
      fingerprint !== undefined && (sources.WITH_FINGERPRINT as readonly unknown[]).includes(state),
    look: (search, most) => {
      const { fingerprint, state } = search.filter;
      return perQueue(search, ({ name }) =>
        sources.fingerprintJobs(search.at, name, fingerprint as string, state, most),
      );
    },
    answers: ["queue", "state", "fingerprint"],
  },
  {
    name: "ended jobs with a fingerprint, and the newest that are in line",
    fits: ({ filter }) => filter.fingerprint !== undefined,
    look: async (search, most) => {
      const { fingerprint, state } = search.filter;
      const ended = await perQueue(search, ({ name }) =>
        sources.fingerprintJobs(search.at, name, fingerprint as string, state, most),
      );
      return [...ended, ...(await newest(search, most, IN_LINE))];
    },
    answers: [],
  },
  {
    name: "a state that can be looked at whole",
    fits: (search) =>
      search.filter.state !== undefined && storedIn(search, [search.filter.state]) <= MOST_LOOKED_AT,
    look: inState,
    answers: ["queue", "state"],
  },
  {
    name: "jobs of a tenant",
    fits: ({ filter: { tenant } }) => tenant !== undefined && tenant !== DEFAULT_TENANT,
    look: async (search, most) => {
      const { at, filter, range } = search;
      const found = await perQueue(search, ({ name }) =>
        sources.tenantJobs(at, name, filter.tenant as string, range, most),
      );
      return sources.newestFirst(found);
    },
    answers: ["queue", "tenant"],
  },
  {
    name: "jobs that stand in a lane, and the newest of the rest",
    fits: ({ filter }) => filter.key !== undefined,
    look: async (search, most) => {
      const standing = await perQueue(search, ({ name }) =>
        sources.laneJobs(search.at, name, search.filter.key as string, most),
      );
      return [...standing, ...(await newest(search, most))];
    },
    answers: [],
  },
  {
    name: "jobs made in a time",
    fits: ({ filter: { from, to } }) => from !== undefined || to !== undefined,
    look: ({ at, range }, most) => sources.jobsInRange(at, range, most),
    answers: [],
  },
  {
    name: "jobs in a state",
    fits: ({ filter }) => filter.state !== undefined,
    look: inState,
    answers: ["queue", "state"],
  },
  {
    name: "the newest jobs of a queue",
    fits: ({ filter }) => filter.queue !== undefined,
    look: newest,
    answers: ["queue"],
  },
  {
    name: "the newest jobs of all",
    fits: () => true,
    look: ({ at, range }, most) => sources.jobsInRange(at, range, most),
    answers: [],
  },
];
