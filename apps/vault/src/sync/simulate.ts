import type { SyncOperation } from "@andon/contract";

interface Planned {
  readonly type: SyncOperation;
  readonly seq: number;
  /** Where it brings the bytes; null: nowhere. */
  readonly target: string | null;
}

/** How a file with a failed operation stands: where its bytes are, where they should be, and what is still to be done. */
export interface Standing {
  readonly databasePath: string | null;
  readonly nasPath: string | null;
  readonly failed: Planned;
  readonly rest: readonly Planned[];
  /** Whether the rest waits for the failed one. One that has left its lane keeps nobody waiting, and takes nobody along. */
  readonly isHeld: boolean;
}

type Outcome = "RUNS" | "SKIPPED" | "CANCELLED";

/** What each choice makes of the failed operation, and of those that it holds. */
const CHOICES = {
  retry: { failed: "RUNS", held: "RUNS" },
  skip: { failed: "SKIPPED", held: "RUNS" },
  cancel: { failed: "SKIPPED", held: "CANCELLED" },
} as const satisfies Record<string, { failed: Outcome; held: Outcome }>;

/** Walks the operations of a file once per choice, and tells where the bytes would lie in the end. */
export function simulate({ databasePath, nasPath, failed, rest, isHeld }: Standing) {
  return (Object.keys(CHOICES) as (keyof typeof CHOICES)[]).map((action) => {
    const choice = CHOICES[action];
    let at = nasPath;
    const operations = [failed, ...rest].map(({ type, seq, target }, index) => {
      const ofRest: Outcome = isHeld ? choice.held : "RUNS";
      const outcome: Outcome = index === 0 ? choice.failed : ofRest;
      const from = at;
      if (outcome === "RUNS") at = target;
      return { type, seq, outcome, from, to: at };
    });
    return { action, endsAt: at, matches: at === databasePath, operations };
  });
}
