import type { PostgresClient } from "./session.ts";

/**
 * How our own statements are planned. Planning a request takes longer than running it, so plans are generic and kept. A
 * plan made while the tables were empty must still be right with a million rows, so only index scans are allowed.
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  jit: "off",
} as const;

/** The author of the next statement on a connection. */
export type Author = "store" | "caller";

const names = Object.keys(PLANNER_SETTINGS);

/**
 * `reset` restores what the database, the role and the store's URL set, because a connection starts without settings of
 * ours.
 */
const SWITCH: Record<Author, string> = {
  store: Object.entries(PLANNER_SETTINGS)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join("; "),
  caller: names.map((name) => `reset ${name}`).join("; "),
};

/**
 * The planner settings of one connection: ours for our statements, and the database's own for callers' statements,
 * whose tables and statistics we do not know (one of those took 4.1 s with our settings, 0.5 s with its own). A switch
 * is sent together with the statement that needs it, which costs no round trip, and only if the last statement had the
 * other author.
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
   * Opens a transaction, in one message with the switch that its first statement needs: a separate switch is 5 % of a
   * small transaction. Call the returned function after a rollback, which reverts the settings too.
   */
  begin(author: Author): () => void {
    const before = this.#author;
    this.#send(before === author ? "begin" : `begin; ${SWITCH[author]}`);
    this.#author = author;
    return () => {
      this.#author = before;
    };
  }

  /** No caller needs the answer: the next statement fails if the connection is lost or the transaction has failed. */
  #send(text: string): void {
    this.#client.query(text).catch(() => {
      this.#author = undefined;
    });
  }
}
