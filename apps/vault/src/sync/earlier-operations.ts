import { keysBelow, pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { pathLane } from "./payload.ts";

/** A job, and the lanes of paths in question: those above its target by name, those below it as a range. */
interface Question {
  readonly jobId: string;
  readonly above: readonly string[];
  readonly below: { readonly from: string; readonly to: string };
}

interface Asked extends Question {
  resolve(isThere: boolean): void;
  reject(error: unknown): void;
}

/**
 * So many questions go into a statement; empty ones fill it up. PostgreSQL keeps each text prepared on each of its
 * connections, about 90 kB for a question: every number of them with every depth of paths came to 50 MB a connection.
 */
const AT_ONCE = [1, 4, 16] as const;
const MOST_AT_ONCE = 16;
/** So many names above a target, or this to the next power. */
const ABOVE = 4;
const NOTHING: Question = { jobId: "", above: [], below: { from: "", to: "" } };

/**
 * Whether an earlier operation is unfinished that names a path above or below a target; one that waits for a person does not
 * count. Operations mostly start several at a time: what they ask in one turn of the loop goes to the store as one statement.
 */
export class EarlierOperations {
  readonly #parts: VaultParts;
  #asked: Asked[] = [];

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

  async #ask(asked: readonly Asked[]): Promise<void> {
    try {
      const { text, params } = statementFor(asked);
      const found = await this.#parts.andon.store.query<{ id: string }>(text, params);
      const ids = new Set(found.map(({ id }) => id));
      for (const { jobId, resolve } of asked) resolve(ids.has(jobId));
    } catch (error) {
      // It may be about one of them only: the others are no part of it.
      if (asked.length === 1) asked[0]?.reject(error);
      else for (const one of asked) void this.#ask([one]);
    }
  }
}

function statementFor(questions: readonly Question[]): { text: string; params: string[] } {
  const params: string[] = [SYNC_QUEUE];
  const count = AT_ONCE.find((size) => size >= questions.length) ?? MOST_AT_ONCE;
  let names = ABOVE;
  while (questions.some(({ above }) => above.length > names)) names *= ABOVE;
  const selects = Array.from({ length: count }, (_, at) =>
    selectFor(questions[at] ?? NOTHING, names, params),
  );
  return { text: selects.join("\nunion all\n"), params };
}

/** Two ranges of one index. With "or" between them, PostgreSQL would read every lane of the queue. */
function selectFor({ jobId, above, below }: Question, names: number, params: string[]): string {
  const next = (value: string) => `$${params.push(value)}`;
  const [job, from, to] = [next(jobId), next(below.from), next(below.to)];
  const list = Array.from({ length: names }, (_, at) => next(above[at] ?? "")).join(", ");
  return `select cast(${job} as text) as id where exists (
  select 1 from (
    select lane_key from andon_lanes where queue = $1 and lane_key in (${list})
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
