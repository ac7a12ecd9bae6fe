import type { Completion, RunningRow, WorkerRow } from "@andon/engine";
import { type StepContext, shared } from "./kit.ts";

const beatOne = shared(
  "worker-beat",
  () => `update andon_workers set beat = beat + 1, at_work = @atWork, queues = @queues, rules = @rules
where id = @id`,
);
const register = shared(
  "worker-register",
  () => `insert into andon_workers (id, host, pid, beat, started_at, at_work, queues, rules)
values (@id, @host, @pid, 1, @startedAt, @atWork, @queues, @rules) on conflict (id) do nothing`,
);
const cancels = shared(
  "worker-cancels",
  () => `select pos, queue, worker, fence, started_at, cancel_actor, cancel_reason
from andon_running where worker = @id and cancel_actor is not null`,
);
const done = shared(
  "jobs-confirm-done",
  (d) => `select pos, fence from andon_jobs
where pos ${d.among("positions", "bigint")} and state = 'done' and worker = @worker`,
);
/** False where the worker was forgotten: its jobs were taken back, and it must start anew under another id. */
export async function beat(at: StepContext, worker: WorkerRow): Promise<boolean> {
  const told = {
    atWork: worker.atWork ? 1 : 0,
    queues: JSON.stringify(worker.queues),
    rules: JSON.stringify(worker.rules),
  };
  if (worker.beat > 0) return (await at.session.run(beatOne(at.dialect), { id: worker.id, ...told })) === 1;
  const { id, host, pid, startedAt } = worker;
  await at.session.run(register(at.dialect), { id, host, pid, startedAt, ...told });
  return true;
}

export async function cancelWishes(at: StepContext, id: string): Promise<RunningRow[]> {
  const rows = await at.session.all<{
    pos: number;
    queue: string;
    fence: number;
    started_at: number;
    cancel_actor: string;
    cancel_reason: string | null;
  }>(cancels(at.dialect), { id });
  return rows.map((row) => ({
    pos: row.pos,
    id: "",
    queue: row.queue,
    worker: id,
    fence: row.fence,
    startedAt: row.started_at,
    cancel: { actor: row.cancel_actor, reason: row.cancel_reason },
  }));
}

export async function confirmDone(
  at: StepContext,
  worker: string,
  completions: readonly Completion[],
): Promise<Set<number>> {
  const fences = new Map(completions.map((completion) => [completion.pos, completion.fence]));
  const rows = await at.session.all<{ pos: number; fence: number }>(done(at.dialect), {
    positions: at.dialect.array([...fences.keys()]),
    worker,
  });
  return new Set(rows.filter((row) => fences.get(row.pos) === row.fence).map((row) => row.pos));
}
