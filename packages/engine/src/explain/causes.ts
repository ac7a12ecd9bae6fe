import type { AuditRow, JobError, Page, Scope } from "@andon/contract";
import type { FingerprintGroup, Remedies, Remedy, StoreReader } from "../ports/store.ts";

/** Failed jobs of one cause, and what people did about such failures before. */
export interface FailureCause extends FingerprintGroup {
  readonly remedies: Remedies;
}

/** How many of the last decisions of each kind are looked through. */
const MOST_DECISIONS = 1_000;
const SHOWN = 3;
const JOB = "job:";

/** A decision about a failed job, as the audit log has it. */
interface Decided extends Omit<Remedy, "worked"> {
  readonly jobId: string;
  readonly fingerprint: string;
}

/** Failed jobs grouped by what went wrong, the largest group first. */
export async function causesOf(
  read: StoreReader,
  queue: string,
  scope: Scope,
  page: number,
  limit: number,
): Promise<Page<FailureCause>> {
  const groups = await read.fingerprints(queue, scope, page, limit);
  const wanted = new Set(groups.items.map(({ fingerprint }) => fingerprint));
  const decided = wanted.size > 0 ? await decisionsAbout(read, wanted, scope) : [];
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
  fingerprints: ReadonlySet<string>,
  scope: Scope,
): Promise<Decided[]> {
  const whose = { tenant: scope.tenant ?? undefined, organization: scope.organization ?? undefined };
  const [retries, skips] = await Promise.all([
    read.audit({ action: "job.retry", ...whose }, 1, MOST_DECISIONS),
    read.audit({ action: "job.skip", ...whose }, 1, MOST_DECISIONS),
  ]);
  const found = [
    ...skips.items.flatMap((row) => decidedIn(row, "skip")),
    ...retries.items.flatMap((row) => decidedIn(row, "retry")),
  ];
  const jobs = new Set(
    found.filter(({ fingerprint }) => fingerprints.has(fingerprint)).map(({ jobId }) => jobId),
  );
  return found.filter(({ jobId }) => jobs.has(jobId)).sort((a, b) => b.at - a.at);
}

function decidedIn({ actor, at, reason, target, before }: AuditRow, action: Remedy["action"]): Decided[] {
  const { error } = (before ?? {}) as { error?: JobError | null };
  if (!error || !target.startsWith(JOB)) return [];
  return [{ action, actor, at, reason, jobId: target.slice(JOB.length), fingerprint: error.fingerprint }];
}

/** Jobs of other queues are left out; one that is kept no longer has come to its end. */
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
  const told = here.map(({ jobId, fingerprint: _fingerprint, ...decision }): Remedy => {
    // Whoever had to be decided about again had failed again.
    const isLast = !all.some((other) => other.jobId === jobId && other.at > decision.at);
    const worked = decision.action === "skip" ? null : isLast ? hasWorked(states.get(jobId)) : false;
    return { ...decision, worked };
  });
  const retries = told.filter(({ action }) => action === "retry");
  return {
    retried: retries.length,
    worked: retries.filter(({ worked }) => worked === true).length,
    failedAgain: retries.filter(({ worked }) => worked === false).length,
    skipped: told.length - retries.length,
    last: told.slice(0, SHOWN),
  };
}

function hasWorked(state: string | undefined): boolean | null {
  if (state === undefined || state === "done") return true;
  // One that was skipped afterwards had failed again, also where both decisions have one time.
  return state === "failed" || state === "resolved" ? false : null;
}
