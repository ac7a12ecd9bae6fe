import type { PostgresClient } from "./session.ts";

/**
 * How our own statements are planned. Planning a request takes longer than running it, so plans are generic and kept. A plan
 * that was made while the tables were empty must still be right at a million rows: everything but the index is ruled out.
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  jit: "off",
} as const;

/** Whose statement comes next on a connection. */
export type Author = "store" | "caller";

const names = Object.keys(PLANNER_SETTINGS);

/** What a `reset` leads back to is what the database, the role and the store's URL say, since nothing of ours is set at the start. */
const SWITCH: Record<Author, string> = {
  store: Object.entries(PLANNER_SETTINGS)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join("; "),
  caller: names.map((name) => `reset ${name}`).join("; "),
};

/**
 * The planner settings of one connection: ours for our statements, and the database's own for callers', whose tables and
 * statistics we know nothing of (one of theirs took 4.1 s with ours, and 0.5 s with its own). A switch goes out with the
 * statement that it is for, which costs no round trip, and only where the last statement was the other's.
 */
export class Planner {
  readonly #client: PostgresClient;
  #author: Author | undefined = "caller";

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  plansFor(author: Author): void {
    if (this.#author !== author) this.#send(SWITCH[author]);
    this.#author = author;
  }

  /**
   * Opens a transaction, in one message with the switch that its first statement needs: a switch by itself is 5 % of a
   * small transaction. What it returns is to be called after a rollback, which takes back the switches too.
   */
  begin(author: Author): () => void {
    const before = this.#author;
    this.#send(before === author ? "begin" : `begin; ${SWITCH[author]}`);
    this.#author = author;
    return () => {
      this.#author = before;
    };
  }

  /** Nobody needs its answer: the next statement tells where a connection is lost or a transaction has failed already. */
  #send(text: string): void {
    this.#client.query(text).catch(() => {
      this.#author = undefined;
    });
  }
}
