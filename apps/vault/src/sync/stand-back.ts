import { Snooze } from "@andon/engine";
import { keysBelow, pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE } from "../parts.ts";
import { inList } from "../sql-lists.ts";
import type { OperationRun } from "./operation-run.ts";

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/**
 * Lanes keep the order of operations that name the same path, but a name can also be a file's first and a folder's later:
 * `a` is trashed, a folder `a` is made, and `a/b` comes; or the other way round. Whoever came first must go first here too:
 * once the later one has made its folder or file, the earlier one could never be done any more. So an operation stands
 * back, uncharged, as long as an earlier one is unfinished that names a path above or below its target.
 *
 * One that waits for a person is not waited for: it could take for ever, and in serial mode nothing else would run.
 */
export async function standBackForEarlier(run: OperationRun): Promise<void> {
  const { targetPath } = run.job.payload;
  if (targetPath === null || !(await hasEarlier(run, targetPath))) return;
  throw new Snooze(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (run.fence - 1)));
}

async function hasEarlier({ parts, job }: OperationRun, target: string): Promise<boolean> {
  const { andon, settings } = parts;
  const { from, to } = keysBelow(target, settings);
  const above = inList(
    ancestorsOf(target).map((path) => `path:${pathKey(path, settings)}`),
    4,
  );
  const [found] = await andon.store.query(
    // Two ranges of one index. With "or" between them, PostgreSQL would read every lane of the queue.
    `select 1 as one from (
  select lane_key from andon_lanes where queue = $1 and lane_key in (${above.list})
  union all
  select lane_key from andon_lanes where queue = $1 and lane_key >= $3 and lane_key < $4
) l
join andon_lane_jobs o on o.queue = $1 and o.lane_key = l.lane_key
where o.pos < (select pos from andon_jobs where id = $2)
and not exists (
  select 1 from andon_lane_jobs p join andon_lanes h on h.queue = p.queue and h.lane_key = p.lane_key
  where p.pos = o.pos and h.held_at is not null
)
limit 1`,
    [SYNC_QUEUE, job.id, `path:${from}`, `path:${to}`, ...above.params],
  );
  return found !== undefined;
}

function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
