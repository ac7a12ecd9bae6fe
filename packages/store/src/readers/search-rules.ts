import { JOB_STATES, type JobState } from "@andon/contract";
import type { JobFilter } from "@andon/engine";
import type { StepContext } from "../steps/statement-registry.ts";
import { MOST_LOOKED_AT } from "./bounds.ts";
import { IN_LINE } from "./search-match.ts";
import * as sources from "./search-sources.ts";
import type { PositionRange } from "./time-range.ts";

const LONGEST_PAGE = 100;

/** A search, and what is known before it starts. */
export interface Search {
  at: StepContext;
  filter: JobFilter;
  queues: readonly sources.SearchedQueue[];
  range: PositionRange;
}

interface Rule {
  name: string;
  /** The first rule that fits is the narrowest one. */
  fits(search: Search): boolean;
  /**
   * Jobs to compare, in the order of an index; may contain duplicates. If there are fewer than `most`, there are no
   * others.
   */
  look(search: Search, most: number): Promise<number[]>;
  /** The source of the first look, if it is not the start of `look`; a part of what `look` finds. */
  lookFirst?(search: Search, most: number): Promise<number[]>;
  /** The number of jobs, up to `most`, if an index counts faster than it lists. */
  count?(search: Search, most: number): Promise<number>;
  /** Members of the filter that `look` applies by itself; if it applies all, no job needs to be compared. */
  answers: readonly (keyof JobFilter)[];
  /** Jobs of one queue and state keep the order of their list; otherwise the newest come first. */
  keepsOrder?: true;
  /** The size of the first look, if nearly all of its jobs match, or hardly any. */
  firstLook?: number;
}

/** How many jobs in these states the searched queues have. */
export const storedIn = ({ queues }: Pick<Search, "queues">, states: readonly JobState[]) =>
  queues.reduce((sum, { counts }) => sum + states.reduce((jobs, state) => jobs + counts[state], 0), 0);

/** Reads the same source for every searched queue. */
async function perQueue(
  search: Search,
  look: (queue: sources.SearchedQueue) => Promise<number[]>,
): Promise<number[]> {
  return (await Promise.all(search.queues.map(look))).flat();
}

async function countPerQueue(
  search: Search,
  count: (queue: sources.SearchedQueue) => Promise<number>,
): Promise<number> {
  return (await Promise.all(search.queues.map(count))).reduce((sum, jobs) => sum + jobs, 0);
}

/** In the order of the state's list, if the search is for one state of one queue. */
const inState = ({ at, filter, queues }: Search, most: number) =>
  sources.newestJobs(at, sources.placesOf(queues, sources.statesOf(filter)), most, {
    shared: true,
    newestFirst: false,
  });

const newest = (search: Search, most: number, states: readonly JobState[] = JOB_STATES) =>
  search.filter.state === undefined
    ? sources.newestJobs(search.at, sources.placesOf(search.queues, states), most, { shared: true })
    : inState(search, most);

/**
 * Half jobs of an owner, half jobs in a state. If one side has fewer, it is complete, and its jobs alone are enough.
 */
async function ofOwnerInState(search: Search, most: number): Promise<number[]> {
  const half = Math.ceil(most / 2);
  const [own, others] = await Promise.all([ofOwner(search, half), inState(search, half)]);
  if (own.length < half) return own;
  return others.length < half ? others : [...own, ...others];
}

async function ofOwner(search: Search, most: number): Promise<number[]> {
  const { at, filter, range } = search;
  const found = await perQueue(search, ({ name }) =>
    sources.ownerJobs(at, name, sources.ownerOf(filter) as sources.Owner, range, most),
  );
  return sources.newestFirst(found);
}

const hasOwner = ({ filter }: Search) => sources.ownerOf(filter) !== undefined;

/** The sources of a search, the narrowest filter member first. */
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
    count: (search, most) => {
      const { fingerprint, state } = search.filter as { fingerprint: string; state: JobState };
      return countPerQueue(search, ({ name }) =>
        sources.countFingerprint(search.at, name, fingerprint, state, most),
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
      if (ended.length >= most) return ended;
      return [...ended, ...(await newest(search, most - ended.length, IN_LINE))];
    },
    answers: [],
    firstLook: LONGEST_PAGE,
  },
  {
    name: "ended jobs of a tenant or organisation",
    fits: (search) => hasOwner(search) && (sources.ENDED as readonly unknown[]).includes(search.filter.state),
    look: (search, most) => {
      const state = search.filter.state as JobState;
      const owner = sources.ownerOf(search.filter) as sources.Owner;
      return perQueue(search, ({ name }) => sources.ownerJobsEnded(search.at, name, owner, state, most));
    },
    count: (search, most) => {
      const state = search.filter.state as JobState;
      const owner = sources.ownerOf(search.filter) as sources.Owner;
      return countPerQueue(search, ({ name }) =>
        sources.countOwnerEnded(search.at, name, owner, state, most),
      );
    },
    answers: ["queue", "state", "tenant", "organization"],
    keepsOrder: true,
  },
  {
    name: "a state that can be looked at whole",
    fits: (search) =>
      search.filter.state !== undefined && storedIn(search, [search.filter.state]) <= MOST_LOOKED_AT,
    look: inState,
    answers: ["queue", "state"],
    keepsOrder: true,
  },
  {
    name: "jobs of a tenant or organisation in a state",
    fits: (search) => hasOwner(search) && search.filter.state !== undefined,
    lookFirst: inState,
    look: ofOwnerInState,
    answers: [],
  },
  {
    name: "jobs of a tenant or organisation",
    fits: hasOwner,
    look: ofOwner,
    count: (search, most) =>
      countPerQueue(search, ({ name }) =>
        sources.countOwner(search.at, name, sources.ownerOf(search.filter) as sources.Owner, most),
      ),
    answers: ["queue", "tenant", "organization"],
  },
  {
    name: "jobs that stand in a lane or have its key first, and the newest of the rest",
    fits: ({ filter }) => filter.key !== undefined,
    look: async (search, most) => {
      const lane = { key: search.filter.key as string, tenant: search.filter.tenant };
      const standing = await perQueue(search, ({ name }) => sources.laneJobs(search.at, name, lane, most));
      const known = await perQueue(search, ({ name }) => sources.jobsByFirstKey(search.at, name, lane, most));
      return [...standing, ...known, ...(await newest(search, most))];
    },
    answers: [],
    firstLook: MOST_LOOKED_AT,
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
    keepsOrder: true,
  },
  {
    // Read per state: people search by text mostly for errors, and failed jobs are rarely among the newest of all.
    name: "the newest jobs of a queue, or of all queues for a text or a code",
    fits: ({ filter: { queue, text, code } }) =>
      queue !== undefined || text !== undefined || code !== undefined,
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
