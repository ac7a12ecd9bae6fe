import { keysBelow, pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { inList } from "../sql-lists.ts";

interface Question {
  readonly jobId: string;
  readonly target: string;
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
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => this.#askAll());
      this.#asked.push({ jobId, target, resolve, reject });
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
    const selects = questions.map((question) => this.#select(question, params));
    try {
      const { store } = this.#parts.andon;
      const found = await store.query<{ id: string }>(selects.join("\nunion all\n"), params);
      const ids = new Set(found.map(({ id }) => id));
      for (const { jobId, resolve } of questions) resolve(ids.has(jobId));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  /** Two ranges of one index. With "or" between them, PostgreSQL would read every lane of the queue. */
  #select({ jobId, target }: Question, params: string[]): string {
    const { settings } = this.#parts;
    const { from, to } = keysBelow(target, settings);
    const before = params.push(jobId, `path:${from}`, `path:${to}`);
    const [job, low, high] = [before - 2, before - 1, before].map((number) => `$${number}`);
    const keys = ancestorsOf(target).map((path) => `path:${pathKey(path, settings)}`);
    const above = inList(keys, before);
    params.push(...above.params);
    return `select cast(${job} as text) as id where exists (
  select 1 from (
    select lane_key from andon_lanes where queue = $1 and lane_key in (${above.list})
    union all
    select lane_key from andon_lanes where queue = $1 and lane_key >= ${low} and lane_key < ${high}
  ) l
  join andon_lane_jobs o on o.queue = $1 and o.lane_key = l.lane_key
  where o.pos < (select pos from andon_jobs where id = ${job})
  and not exists (
    select 1 from andon_lane_jobs p join andon_lanes h on h.queue = p.queue and h.lane_key = p.lane_key
    where p.pos = o.pos and h.held_at is not null
  )
)`;
  }
}

function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
