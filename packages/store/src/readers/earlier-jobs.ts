import { DEFAULT_TENANT, type EarlierInLanes, laneId } from "@andon/engine";
import type { Dialect } from "../dialect.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

/**
 * The number of questions in a statement; empty ones fill it up. PostgreSQL keeps each text prepared on each
 * connection, about 90 kB per question, so there are few texts.
 */
const SIZES = [1, 4, 16] as const;
const LARGEST = 16;
const NO_LANE = laneId(DEFAULT_TENANT, "");
const EMPTY: EarlierInLanes = { jobId: "", lanes: [], range: { from: NO_LANE, to: NO_LANE } };

/**
 * Two ranges of one index: with "or" between them, PostgreSQL would read every lane of the queue. `+ 0` prevents a scan
 * along the positions. Whether a job's lane is held is a subquery: a join could be planned to read all lanes.
 */
const question = (d: Dialect, n: number) => `select cast(@job${n} as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key ${d.among(`keys${n}`, "text")}
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from${n} and lane_key < @to${n}
  ) o
  where o.pos < (select pos from andon_jobs where id = @job${n}) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)`;
const statements = SIZES.map((size) => ({
  size,
  statement: shared(`lanes-earlier-${size}`, (d) =>
    Array.from({ length: size }, (_, n) => question(d, n)).join("\nunion all\n"),
  ),
}));

export async function withEarlier(
  at: StepContext,
  queue: string,
  questions: readonly EarlierInLanes[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let from = 0; from < questions.length; from += LARGEST) {
    for (const { id } of await ask(at, queue, questions.slice(from, from + LARGEST))) found.add(id);
  }
  return found;
}

function ask(at: StepContext, queue: string, questions: readonly EarlierInLanes[]) {
  const { size, statement } = statements.find(
    (one) => one.size >= questions.length,
  ) as (typeof statements)[0];
  const values: Record<string, unknown> = { queue };
  for (let n = 0; n < size; n++) {
    const { jobId, lanes, range } = questions[n] ?? EMPTY;
    values[`job${n}`] = jobId;
    values[`keys${n}`] = at.dialect.array(lanes);
    values[`from${n}`] = range.from;
    values[`to${n}`] = range.to;
  }
  return at.session.all<{ id: string }>(statement(at.dialect), values);
}
