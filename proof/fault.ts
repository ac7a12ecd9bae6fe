import type { PostgresServer } from "@andon/testkit";
import type { Kind } from "@andon/testkit/processes";
import type { Outcome } from "@andon/testkit/proof";

/** One run of one fault on one store. */
export interface FaultRun {
  readonly kind: Kind;
  readonly seed: number;
  /** No new round begins after this long; the first one always runs. */
  readonly budgetMs: number;
  /** The PostgreSQL server that the whole proof shares. */
  readonly serverUrl: string | undefined;
  /** Starts a separate server for this fault; it is stopped at the end in any case. */
  readonly startServer: () => Promise<PostgresServer>;
  readonly say: (text: string) => void;
}

export interface Fault {
  readonly name: string;
  /** What must be shown, in one line. */
  readonly shows: string;
  readonly kinds: readonly Kind[];
  /** Its share of the time, relative to the other faults. */
  readonly weight: number;
  run(run: FaultRun): Promise<Outcome>;
}
