import type { Page } from "@andon/contract";
import type { JobFilter, JobRow } from "@andon/engine";
import { readJobs } from "../steps/job-steps.ts";
import { listQueues } from "../steps/queue-steps.ts";
import type { StepContext } from "../steps/statement-registry.ts";
import { lookedAtOf, MOST_COUNTED, totalOf } from "./bounds.ts";
import { talliesOf } from "./count-reader.ts";
import { positionsOf, reversedPositionsOf } from "./job-places.ts";
import { matching } from "./search-match.ts";
import { RULES, type Search, storedIn } from "./search-rules.ts";
import * as sources from "./search-sources.ts";
import { positionsBetween } from "./time-range.ts";

/** The first look fills a page of a common filter; only a rare one needs the second. */
const FIRST_LOOK = 500;
/**
 * The least that is merged, so that pages of a small queue are in exact order, whatever the order of its states' lists.
 */
const FEWEST_MERGED = 500;

/** The part of the result that is requested. */
export interface Window {
  offset: number;
  limit: number;
}

/** A page of positions, and the number of jobs that match the filter. */
export interface Found {
  positions: number[];
  total: number;
  more?: true;
}

/**
 * Finds jobs by filter in a time that does not grow with the backlog. With queue and state alone their number is known.
 * If a rule applies the whole filter, up to 10,000 jobs are counted. Otherwise all jobs are compared if there are no
 * more than that, and some of the newest if there are.
 */
export async function find(search: Search, window: Window): Promise<Found> {
  const { filter } = search;
  if (isKept(filter)) {
    const positions = window.offset < MOST_COUNTED ? await keptPage(search, window) : [];
    return { positions, total: storedIn(search, sources.statesOf(filter)) };
  }
  const rule = ruleOf(search);
  const inOrder = rule.keepsOrder && filter.queue !== undefined && filter.state !== undefined;
  const ordered = inOrder ? (positions: number[]) => positions : sources.newestFirst;
  if (!isAnswered(search)) return looked(search, rule, ordered, window);
  const [counted, positions] = await Promise.all([
    rule.count?.(search, MOST_COUNTED + 1),
    rule.look(search, rule.count ? Math.min(window.offset + window.limit, MOST_COUNTED) : MOST_COUNTED + 1),
  ]);
  return {
    ...totalOf(counted ?? new Set(positions).size),
    positions: pageOf(ordered(positions), window),
  };
}

function ruleOf(search: Search): (typeof RULES)[number] {
  return RULES.find((rule) => rule.fits(search)) as (typeof RULES)[number];
}

/** Whether an index applies the whole filter, so that it can count too. */
export function isAnswered(search: Search): boolean {
  const { answers } = ruleOf(search);
  return (Object.keys(search.filter) as (keyof JobFilter)[]).every((member) => answers.includes(member));
}

/** Whether the counts per queue and state are enough to answer the filter. */
export function isKept(filter: JobFilter): boolean {
  return Object.keys(filter).every((member) => member === "queue" || member === "state");
}

function pageOf(positions: readonly number[], { offset, limit }: Window): number[] {
  return positions.slice(offset, Math.min(offset + limit, MOST_COUNTED));
}

async function keptPage(search: Search, { offset, limit }: Window): Promise<number[]> {
  const { at, filter, queues, range } = search;
  const { queue, state } = filter;
  if (queue !== undefined && state !== undefined)
    return positionsOf(at, queue, state, storedIn(search, [state]), { offset, limit });
  const most = offset + limit;
  const newest =
    queue !== undefined
      ? await sources.newestOfQueue(at, queue, most)
      : state === undefined
        ? await sources.jobsInRange(at, range, most)
        : undefined;
  if (newest) return newest.slice(offset);
  const places = sources.placesOf(queues, sources.statesOf(filter));
  const merged = await sources.newestJobs(at, places, Math.max(most, FEWEST_MERGED), { shared: false });
  return sources.newestFirst(merged).slice(offset, most);
}

/** Jobs of a later look follow those of an earlier one, so that no job is on two pages. */
async function looked(
  search: Search,
  rule: (typeof RULES)[number],
  ordered: (positions: number[]) => number[],
  window: Window,
): Promise<Found> {
  const { at, filter } = search;
  // A ticket or an id means that job, not the newest one whose key contains these digits.
  const named = filter.text === undefined ? [] : await sources.jobsNamed(at, filter.text);
  const seen = new Set(named);
  const found = await matching(at, named, filter);
  let isWhole = false;
  const { firstLook = FIRST_LOOK, lookFirst = rule.look } = rule;
  const all = lookedAtOf(storedIn(search, sources.statesOf(filter)));
  // If all jobs can be compared, the total is exact; otherwise it is enough to fill the page.
  for (const most of all === MOST_COUNTED ? [all] : new Set([firstLook, all])) {
    const look = most === all ? rule.look : lookFirst;
    const candidates = await look(search, most + 1);
    const fresh = [...new Set(candidates.slice(0, most))].filter((pos) => !seen.has(pos));
    for (const pos of fresh) seen.add(pos);
    found.push(...ordered(await matching(at, fresh, filter)));
    isWhole = candidates.length <= most;
    if (isWhole || found.length >= window.offset + window.limit) break;
  }
  const positions = found.slice(window.offset, window.offset + window.limit);
  return { positions, total: found.length, ...(isWhole ? {} : { more: true }) };
}

/** A page from the other end of a list that exists in both directions. */
async function reversedPage({ at, filter }: Search, { offset, limit }: Window): Promise<number[]> {
  if (offset >= MOST_COUNTED) return [];
  const { queue, state } = filter;
  if (queue !== undefined && state !== undefined)
    return reversedPositionsOf(at, queue, state, { offset, limit });
  return (await sources.oldestJobs(at, offset + limit)).slice(offset);
}

export async function searchOf(at: StepContext, wished: JobFilter): Promise<Search> {
  const filter = given(wished);
  const [queues, range] = await Promise.all([
    searchedQueues(at, filter.queue),
    positionsBetween(at, filter.from, filter.to),
  ]);
  return { at, filter, queues, range };
}

async function searchedQueues(at: StepContext, queue: string | undefined) {
  const names = queue === undefined ? (await listQueues(at)).map(({ name }) => name) : [queue];
  const tallyOf = await talliesOf(at, names);
  return names.map((name) => sources.searchedQueue(name, tallyOf(name)));
}

/** The filter without undefined members. */
function given(filter: JobFilter): JobFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

export async function searchJobs(
  at: StepContext,
  filter: JobFilter,
  page: number,
  limit: number,
  isReversed = false,
): Promise<Page<JobRow>> {
  const search = await searchOf(at, filter);
  const window = { offset: (page - 1) * limit, limit };
  const { positions, ...total } = isReversed
    ? {
        positions: await reversedPage(search, window),
        total: storedIn(search, sources.statesOf(search.filter)),
      }
    : await find(search, window);
  const rows = new Map((await readJobs(at, positions)).map((row) => [row.pos, row]));
  return { ...total, page, limit, items: positions.flatMap((pos) => rows.get(pos) ?? []) };
}
