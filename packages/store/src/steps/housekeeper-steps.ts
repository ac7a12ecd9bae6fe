import { type StepContext, shared } from "./statement-registry.ts";

const takeFree = shared(
  "housekeeper-take-free",
  () =>
    "insert into andon_housekeepers (role, worker, term, beat) values (@role, @worker, 1, 0) on conflict do nothing",
);
const takeOver = shared(
  "housekeeper-take-over",
  () => `update andon_housekeepers set worker = @worker, term = term + 1, beat = 0
where role = @role and term = @term`,
);
const beat = shared(
  "housekeeper-beat",
  () => `update andon_housekeepers set beat = beat + 1
where role = @role and worker = @worker and term = @term`,
);
const leave = shared(
  "housekeeper-leave",
  () => "delete from andon_housekeepers where role = @role and worker = @worker and term = @term",
);

const begin = shared(
  "history-run-begin",
  () => `insert into andon_history_runs (worker, from_at)
select id, started_at from andon_workers where id = @worker
on conflict (worker) do update set until_at = null`,
);
const end = shared(
  "history-run-end",
  () => "update andon_history_runs set until_at = @now where worker = @worker",
);
const dropOld = shared("history-runs-drop", () => "delete from andon_history_runs where until_at < @before");
/** Longer than any history is kept. */
const RUNS_KEPT_MS = 800 * 86_400_000;

/** A compare-and-set of the term: of several processes that try at once, one gets the post. */
export async function takePost(
  at: StepContext,
  role: string,
  worker: string,
  term: number | null,
): Promise<boolean> {
  const changed =
    term === null
      ? await at.session.run(takeFree(at.dialect), { role, worker })
      : await at.session.run(takeOver(at.dialect), { role, worker, term });
  if (changed !== 1) return false;
  await at.session.run(begin(at.dialect), { worker });
  await at.session.run(dropOld(at.dialect), { before: at.now - RUNS_KEPT_MS });
  return true;
}

export async function beatPost(
  at: StepContext,
  role: string,
  worker: string,
  term: number,
): Promise<boolean> {
  return (await at.session.run(beat(at.dialect), { role, worker, term })) === 1;
}

export async function leavePost(at: StepContext, role: string, worker: string, term: number): Promise<void> {
  await at.session.run(leave(at.dialect), { role, worker, term });
  await at.session.run(end(at.dialect), { worker, now: Math.floor(at.now) });
}
