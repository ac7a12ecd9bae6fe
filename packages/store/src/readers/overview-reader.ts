import type { QueueOverview } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { talliesOf } from "./count-reader.ts";

/** One text for the three figures of the last claim log entries, since a subquery has one column. */
const FIGURES = "coalesce(sum(t.done), 0) || ' ' || count(*) || ' ' || coalesce(min(t.at), 0)";
const ENTRIES = alongIndex({ queue: "q.name" }, ["id"], " desc");

/** Every subquery takes a few index steps per queue: a list of 1,000 queues is two statements. */
const overviewOf = shared(
  "queues-overview",
  (d) => `select q.name as queue,
  (select j.created_at from andon_jobs j where j.pos = (
    select r.pos from andon_ready r where r.queue = q.name order by r.rank, r.pos limit 1
  )) as oldest,
  (select ${FIGURES} from (
    select done, at from andon_claim_log where ${ENTRIES.where} order by ${ENTRIES.order} limit @most
  ) t where t.at > @since) as entries
from andon_queues q where q.name ${d.among("queues", "text")}`,
);

type OverviewRow = { queue: string; oldest: number | null; entries: string };

const MINUTE_MS = 60_000;
/** Few at first: the last entries of a queue at rest reach further back than a minute. */
const FEW_ENTRIES = 50;
const MANY_ENTRIES = 2_000;

export async function overviews(
  at: StepContext,
  queues: readonly string[],
  now: number,
): Promise<Map<string, QueueOverview>> {
  const [counts, rows] = await Promise.all([talliesOf(at, queues), read(at, queues, FEW_ENTRIES, now)]);
  const paces = new Map(rows.map((row) => [row.queue, paceOf(row, FEW_ENTRIES, now)]));
  const busy = [...paces].filter(([, { isWhole }]) => !isWhole).map(([queue]) => queue);
  for (const row of busy.length > 0 ? await read(at, busy, MANY_ENTRIES, now) : [])
    paces.set(row.queue, paceOf(row, MANY_ENTRIES, now));
  const oldest = new Map(rows.map((row) => [row.queue, row.oldest]));
  return new Map(
    queues.map((queue) => [
      queue,
      {
        heldLanes: counts(queue).held,
        oldestWaitingAt: oldest.get(queue) ?? null,
        donePerMinute: paces.get(queue)?.donePerMinute ?? 0,
      },
    ]),
  );
}

function read(at: StepContext, queues: readonly string[], most: number, now: number): Promise<OverviewRow[]> {
  const values = { queues: at.dialect.array(queues), most, since: now - MINUTE_MS };
  return at.session.all<OverviewRow>(overviewOf(at.dialect), values);
}

/** The pace from the last entries; if they do not reach back a minute, it is extrapolated to one. */
function paceOf({ entries }: OverviewRow, most: number, now: number) {
  const [done = 0, seen = 0, since = 0] = entries.split(" ").map(Number);
  if (seen < most) return { isWhole: true, donePerMinute: done };
  return { isWhole: false, donePerMinute: Math.round((done * MINUTE_MS) / Math.max(now - since, 1)) };
}
