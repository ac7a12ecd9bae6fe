import type { AuditRow, JobError, Page, Scope } from "@andon/contract";
import type { FingerprintGroup, Remedies, Remedy, StoreReader } from "../ports/store.ts";
import { DEFAULT_NOUN } from "../verbs/abort.ts";

/** Failed jobs of one cause, and what people did about such failures before. */
export interface FailureCause extends FingerprintGroup {
  readonly remedies: Remedies;
}

/** How many of the latest decisions of each kind are searched. */
const MOST_DECISIONS = 1_000;
const SHOWN = 3;
const JOB = "job:";

/** A queue, and the name that its app gives to jobs in the audit log. */
interface Asked {
  readonly name: string;
  readonly noun?: string | undefined;
}

/** A decision about a failed job, as recorded in the audit log. */
interface Decided extends Omit<Remedy, "worked"> {
  readonly jobId: string;
  readonly fingerprint: string;
}

/** Failed jobs grouped by what went wrong, the largest group first. */
export async function causesOf(
  read: StoreReader,
  { name: queue, noun = DEFAULT_NOUN }: Asked,
  scope: Scope,
  page: number,
  limit: number,
): Promise<Page<FailureCause>> {
  const groups = await read.fingerprints(queue, scope, page, limit);
  const wanted = new Set(groups.items.map(({ fingerprint }) => fingerprint));
  const decided = wanted.size > 0 ? await decisionsAbout(read, noun, wanted, scope) : [];
  const states = await statesOf(read, queue, decided, scope);
  const items = groups.items.map((group) => {
    const own = decided.filter(({ fingerprint }) => fingerprint === group.fingerprint);
    return { ...group, remedies: remediesIn(own, decided, states) };
  });
  return { ...groups, items };
}

/** Newest first. */
async function decisionsAbout(
  read: StoreReader,
  noun: string,
  fingerprints: ReadonlySet<string>,
  scope: Scope,
): Promise<Decided[]> {
  const whose = { tenant: scope.tenant ?? undefined, organization: scope.organization ?? undefined };
  const parts = await Promise.all(
    actionsOf(noun).map(async ({ name, is }) => {
      const { items } = await read.audit({ action: name, ...whose }, 1, MOST_DECISIONS);
      return items.flatMap((row) => decidedIn(row, is));
    }),
  );
  const found = parts.flat();
  const jobs = new Set(
    found.filter(({ fingerprint }) => fingerprints.has(fingerprint)).map(({ jobId }) => jobId),
  );
  return found.filter(({ jobId }) => jobs.has(jobId)).sort((a, b) => b.at - a.at);
}

/**
 * The audit actions that settle a failed job. Skips precede retries: of two decisions with the same time, the skip is
 * the later one.
 */
function actionsOf(noun: string): readonly { readonly name: string; readonly is: Remedy["action"] }[] {
  const skips = noun === DEFAULT_NOUN ? ["job.skip"] : ["job.skip", `${noun}.cancel`];
  const retries = [`${noun}.retry`, `${noun}.resume`];
  return [
    ...skips.map((name) => ({ name, is: "skip" as const })),
    ...retries.map((name) => ({ name, is: "retry" as const })),
  ];
}

function decidedIn({ actor, at, reason, target, before }: AuditRow, action: Remedy["action"]): Decided[] {
  const { error } = (before ?? {}) as { error?: JobError | null };
  if (!error || !target.startsWith(JOB)) return [];
  return [{ action, actor, at, reason, jobId: target.slice(JOB.length), fingerprint: error.fingerprint }];
}

/** The state of each job, `elsewhere` for jobs of other queues. A job that is absent was purged, so it had ended. */
async function statesOf(
  read: StoreReader,
  queue: string,
  decided: readonly Decided[],
  scope: Scope,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(decided.map(({ jobId }) => jobId))];
  const rows = ids.length > 0 ? await read.jobsById(ids, scope) : [];
  return new Map(rows.map((row) => [row.id, row.queue === queue ? row.state : "elsewhere"]));
}

function remediesIn(
  own: readonly Decided[],
  all: readonly Decided[],
  states: ReadonlyMap<string, string>,
): Remedies {
  const here = own.filter(({ jobId }) => states.get(jobId) !== "elsewhere");
  const told = here.map(({ fingerprint: _fingerprint, ...decision }) => {
    const { jobId, at, action } = decision;
    // A job with a later decision had failed again.
    const isLast = !all.some((other) => other.jobId === jobId && other.at > at);
    const worked = action === "skip" ? null : isLast ? hasWorked(states.get(jobId)) : false;
    return { ...decision, worked };
  });
  const retries = told.filter(({ action }) => action === "retry");
  return {
    retried: retries.length,
    worked: retries.filter(({ worked }) => worked === true).length,
    failedAgain: retries.filter(({ worked }) => worked === false).length,
    skipped: told.length - retries.length,
    last: lastOf(told),
  };
}

/** Equal decisions of one person about several jobs are one remedy: it worked if it worked for each of them. */
function lastOf(told: readonly (Remedy & { readonly jobId: string })[]): Remedy[] {
  const last: { remedy: Remedy; jobs: Set<string> }[] = [];
  for (const { jobId, ...remedy } of told) {
    const before = last.at(-1);
    if (before && isSame(before.remedy, remedy) && !before.jobs.has(jobId)) {
      before.jobs.add(jobId);
      before.remedy = { ...before.remedy, worked: bothWorked(before.remedy.worked, remedy.worked) };
    } else if (last.length < SHOWN) last.push({ remedy, jobs: new Set([jobId]) });
    else break;
  }
  return last.map(({ remedy }) => remedy);
}

const isSame = (a: Remedy, b: Remedy) =>
  a.action === b.action && a.actor === b.actor && a.reason === b.reason;

function bothWorked(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

function hasWorked(state: string | undefined): boolean | null {
  if (state === undefined || state === "done") return true;
  // A job that was skipped afterwards had failed again, even if both decisions have the same time.
  return state === "failed" || state === "resolved" ? false : null;
}
