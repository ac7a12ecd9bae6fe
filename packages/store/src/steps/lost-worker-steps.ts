import type { LostWorker, WorkerRow } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

/** How long lost workers are shown, and how many jobs of each. */
const KEPT_MS = 7 * 86_400_000;
const MOST_JOBS = 100;

const find = shared("lost-worker", () => "select jobs from andon_lost_workers where id = @id");
const put = shared(
  "lost-worker-put",
  () => `insert into andon_lost_workers (id, host, pid, version, queues, started_at, beat_at, lost_at, jobs)
values (@id, @host, @pid, @version, @queues, @startedAt, @beatAt, @at, @jobs)
on conflict (id) do update set jobs = excluded.jobs`,
);
const dropOld = shared("lost-workers-drop", () => "delete from andon_lost_workers where lost_at < @before");
const list = shared(
  "lost-workers",
  () => `select id, host, pid, version, queues, started_at, beat_at, lost_at, jobs
from andon_lost_workers order by lost_at desc, id limit @most`,
);

/** Records that a worker died. If its jobs are taken back in several transactions, the lists are combined. */
export async function addLostWorker(
  at: StepContext,
  worker: WorkerRow,
  jobs: readonly string[],
): Promise<void> {
  const { id, host, pid, version, queues, startedAt, beatAt } = worker;
  const [known] = await at.session.all<{ jobs: string }>(find(at.dialect), { id });
  const all = [...new Set([...(known ? (JSON.parse(known.jobs) as string[]) : []), ...jobs])];
  await at.session.run(put(at.dialect), {
    id,
    host,
    pid,
    version,
    queues: JSON.stringify(queues),
    startedAt,
    beatAt,
    at: at.now,
    jobs: JSON.stringify(all.slice(0, MOST_JOBS)),
  });
  await at.session.run(dropOld(at.dialect), { before: at.now - KEPT_MS });
}

interface RawLost {
  id: string;
  host: string;
  pid: number;
  version: string | null;
  queues: string;
  started_at: number | null;
  beat_at: number | null;
  lost_at: number;
  jobs: string;
}

export async function lostWorkers(at: StepContext, most: number): Promise<LostWorker[]> {
  const rows = await at.session.all<RawLost>(list(at.dialect), { most });
  return rows.map(({ queues, jobs, started_at, beat_at, lost_at, ...row }) => ({
    ...row,
    queues: JSON.parse(queues),
    startedAt: started_at,
    lastBeatAt: beat_at,
    lostAt: lost_at,
    jobs: JSON.parse(jobs),
  }));
}
