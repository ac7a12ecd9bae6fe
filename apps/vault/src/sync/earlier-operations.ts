import { keysBelow, pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { inList } from "../sql-lists.ts";
import { pathLane } from "./payload.ts";

/** A job, and the lanes of paths in question: those above its target by name, those below it as a range. */
interface Question {
  readonly jobId: string;
  readonly above: readonly string[];
  readonly below: { readonly from: string; readonly to: string };
  resolve(isThere: boolean): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 16;

/**
 * Whether an earlier operation is unfinished that names a path above or below a target; one that waits for a person does not
 * count. Operations mostly start several at a time: what they ask in one turn of the loop goes to the store as one statement.
 */
export class EarlierOperations {
  readonly #parts: VaultParts;
  #asked: Question[] = [];

  constructor(parts: VaultParts) {
    this.#parts = parts;
  }

  isThere(jobId: string, target: string): Promise<boolean> {
    const { settings } = this.#parts;
    const { from, to } = keysBelow(target, settings);
    const below = { from: pathLane(from), to: pathLane(to) };
    const above = ancestorsOf(target).map((path) => pathLane(pathKey(path, settings)));
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => this.#askAll());
      this.#asked.push({ jobId, above, below, resolve, reject });
    });
  }

  #askAll(): void {
    const asked = this.#asked;
    this.#asked = [];
    for (let at = 0; at < asked.length; at += MOST_AT_ONCE)
      void this.#ask(asked.slice(at, at + MOST_AT_ONCE));
  }

  async #ask(questions: readonly Question[]): Promise<void> {
    const params: string[] = [SYNC_QUEUE];
    // Lists of one length for all, or there would be a statement to prepare for every mixture of depths.
    const most = Math.max(...questions.map(({ above }) => above.length));
    const selects = questions.map((question) => selectFor(question, most, params));
    try {
      const { store } = this.#parts.andon;
      const found = await store.query<{ id: string }>(selects.join("\nunion all\n"), params);
      const ids = new Set(found.map(({ id }) => id));
      for (const { jobId, resolve } of questions) resolve(ids.has(jobId));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }
}

/** Two ranges of one index. With "or" between them, PostgreSQL would read every lane of the queue. */
function selectFor({ jobId, above, below }: Question, most: number, params: string[]): string {
  const before = params.push(jobId, below.from, below.to);
  const [job, from, to] = [before - 2, before - 1, before].map((number) => `$${number}`);
  const names = inList(
    Array.from({ length: most }, (_, at) => above[Math.min(at, above.length - 1)] ?? ""),
    before,
  );
  params.push(...names.params);
  return `select cast(${job} as text) as id where exists (
  select 1 from (
    select lane_key from andon_lanes where queue = $1 and lane_key in (${names.list})
    union all
    select lane_key from andon_lanes where queue = $1 and lane_key >= ${from} and lane_key < ${to}
  ) l
  join andon_lane_jobs o on o.queue = $1 and o.lane_key = l.lane_key
  where o.pos < (select pos from andon_jobs where id = ${job})
  and not exists (
    select 1 from andon_lane_jobs p join andon_lanes h on h.queue = p.queue and h.lane_key = p.lane_key
    where p.pos = o.pos and h.held_at is not null
  )
)`;
}

function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
