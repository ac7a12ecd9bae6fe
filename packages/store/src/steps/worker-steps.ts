import type { CancelTime, Completion, RunningRow, WorkerRow } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

const beatOne = shared(
  "worker-beat",
  () => `update andon_workers set beat = beat + 1, beat_at = @now, at_work = @atWork, queues = @queues, rules = @rules
where id = @id`,
);
const register = shared(
  "worker-register",
  () => `insert into andon_workers (id, host, pid, beat, beat_at, started_at, at_work, queues, rules, version)
values (@id, @host, @pid, 1, @now, @startedAt, @atWork, @queues, @rules, @version) on conflict (id) do nothing`,
);
const cancels = shared(
  "worker-cancels",
  () => `select r.pos, r.queue, r.worker, r.fence, r.started_at, r.cancel_actor, r.cancel_reason, r.cancel_at
from andon_running r where r.worker = @id
  and (r.cancel_at = 'now' or (select w.pos from andon_abort_wishes w where w.pos = r.pos) is not null)`,
);
const done = shared(
  "jobs-confirm-done",
  (d) => `select pos, fence from andon_jobs
where pos ${d.among("positions", "bigint")} and state = 'done' and worker = @worker`,
);
const advanced = shared(
  "jobs-confirm-advanced",
  (d) =>
    `select pos, fence from andon_stages where pos ${d.among("positions", "bigint")} and status = 'completed'`,
);
/** False if the worker was forgotten: its jobs were taken back, and it must register again under another id. */
export async function beat(at: StepContext, worker: WorkerRow): Promise<boolean> {
  const told = {
    atWork: worker.atWork ? 1 : 0,
    queues: JSON.stringify(worker.queues),
    rules: JSON.stringify(worker.rules),
    now: at.now,
  };
  if (worker.beat > 0) return (await at.session.run(beatOne(at.dialect), { id: worker.id, ...told })) === 1;
  const { id, host, pid, startedAt, version } = worker;
  await at.session.run(register(at.dialect), { id, host, pid, startedAt, version, ...told });
  return true;
}

export async function cancelWishes(at: StepContext, id: string): Promise<RunningRow[]> {
  const rows = await at.session.all<{
    pos: number;
    queue: string;
    fence: number;
    started_at: number;
    cancel_actor: string | null;
    cancel_reason: string | null;
    cancel_at: CancelTime | null;
  }>(cancels(at.dialect), { id });
  return rows.map((row) => ({
    pos: row.pos,
    id: "",
    queue: row.queue,
    worker: id,
    fence: row.fence,
    startedAt: row.started_at,
    cancel:
      row.cancel_actor === null || row.cancel_at !== "now"
        ? null
        : { actor: row.cancel_actor, reason: row.cancel_reason, at: row.cancel_at },
    abort: null,
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
  const advancing = completions.filter((completion) => completion.advance);
  if (advancing.length > 0) {
    const positions = at.dialect.array(advancing.map((completion) => completion.pos));
    rows.push(...(await at.session.all<{ pos: number; fence: number }>(advanced(at.dialect), { positions })));
  }
  return new Set(rows.filter((row) => fences.get(row.pos) === row.fence).map((row) => row.pos));
}
