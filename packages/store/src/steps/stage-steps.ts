import type { StageStatus } from "@andon/contract";
import type { EndedStage } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

const save = shared(
  "stage-save",
  () => `insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
values (@pos, @number, @fence, @name, @status, @attempts, @elapsedMs, @startedAt, @finishedAt)
on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
  elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at`,
);
const list = shared(
  "stages-of",
  () => `select number, fence, name, status, attempts, elapsed, started_at, finished_at
from andon_stages where pos = @pos order by number`,
);
export const dropStages = shared(
  "stages-drop",
  (d) => `delete from andon_stages where pos ${d.among("positions", "bigint")}`,
);

interface RawStage {
  number: number;
  fence: number;
  name: string;
  status: StageStatus;
  attempts: number;
  elapsed: number;
  started_at: number | null;
  finished_at: number;
}

export async function saveStage(at: StepContext, stage: EndedStage): Promise<void> {
  await at.session.run(save(at.dialect), { ...stage });
}

export async function endedStages(at: StepContext, pos: number): Promise<EndedStage[]> {
  const rows = await at.session.all<RawStage>(list(at.dialect), { pos });
  return rows.map(({ elapsed, started_at: startedAt, finished_at: finishedAt, ...stage }) => ({
    ...stage,
    pos,
    elapsedMs: elapsed,
    startedAt,
    finishedAt,
  }));
}
