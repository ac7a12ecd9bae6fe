import type { SyncOperation } from "@andon/contract";

interface Planned {
  readonly type: SyncOperation;
  readonly seq: number;
  /** Where it brings the bytes; null: nowhere. */
  readonly target: string | null;
}

/** How a held file stands: where its bytes are, where they should be, and what is still to be done, the failed one first. */
export interface Standing {
  readonly databasePath: string | null;
  readonly nasPath: string | null;
  readonly operations: readonly Planned[];
}

type Outcome = "RUNS" | "SKIPPED" | "CANCELLED";

/** What each choice makes of the failed operation, and of those behind it. */
const CHOICES = {
  retry: { failed: "RUNS", rest: "RUNS" },
  skip: { failed: "SKIPPED", rest: "RUNS" },
  cancel: { failed: "SKIPPED", rest: "CANCELLED" },
} as const satisfies Record<string, { failed: Outcome; rest: Outcome }>;

/** Walks the operations of a held file once per choice, and tells where the bytes would lie in the end. */
export function simulate(standing: Standing) {
  return (Object.keys(CHOICES) as (keyof typeof CHOICES)[]).map((action) => {
    const { failed, rest } = CHOICES[action];
    let at = standing.nasPath;
    const operations = standing.operations.map(({ type, seq, target }, index) => {
      const outcome: Outcome = index === 0 ? failed : rest;
      const from = at;
      if (outcome === "RUNS") at = target;
      return { type, seq, outcome, from, to: at };
    });
    return { action, endsAt: at, matches: at === standing.databasePath, operations };
  });
}
