import type { SyncOperation } from "../contract/routes.ts";
import { expectedPath } from "../nas/expected-path.ts";
import type { VaultContext } from "../vault-context.ts";
import { findBytes } from "./before-skip.ts";
import { type FailedFile, isSuperseded, type SyncJob, unfinishedOperations } from "./file-operations.ts";
import { type Occupant, occupantOf } from "./inspect-nas-path.ts";

interface Planned {
  readonly type: SyncOperation;
  readonly seq: number;
  /** The path that it brings the bytes to; null if it removes them. */
  readonly target: string | null;
}

/** A file with a failed operation: where its bytes are, where they should be, and which operations are left. */
export interface HeldFileState {
  readonly databasePath: string | null;
  readonly nasPath: string | null;
  readonly failed: Planned;
  readonly rest: readonly Planned[];
  /** Whether the rest waits for the failed one. A failed operation that has left its lane affects no other. */
  readonly isHeld: boolean;
}

type Outcome = "RUNS" | "SKIPPED" | "CANCELLED";

/** What each choice does with the failed operation, and with those that it holds. */
const CHOICES = {
  retry: { failed: "RUNS", held: "RUNS" },
  skip: { failed: "SKIPPED", held: "RUNS" },
  cancel: { failed: "SKIPPED", held: "CANCELLED" },
} as const satisfies Record<string, { failed: Outcome; held: Outcome }>;

/** For each choice, where the file's operations would bring the bytes. */
export function simulate({ databasePath, nasPath, failed, rest, isHeld }: HeldFileState) {
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

/**
 * The state of a file with a failed operation. The NAS is checked as before a skip, so that bytes that were copied by hand are
 * found. A superseded operation moves nothing, not even when it is retried.
 */
export async function heldFileState(
  vault: VaultContext,
  { file, jobId }: FailedFile,
): Promise<HeldFileState & { readonly occupied: Occupant | undefined }> {
  const { andon, nas } = vault;
  const { store } = andon;
  const job = (await andon.job(jobId)) as SyncJob;
  const [databasePath, { path: nasPath, availabilityStatus }, unfinished, hasGoneOn] = await Promise.all([
    expectedPath(store, file),
    findBytes(vault, job),
    unfinishedOperations(andon, file),
    isSuperseded(andon, job),
  ]);
  // The recorded path proves nothing: it can be the target of a repair, whose bytes are lost.
  const isSettled = hasGoneOn || availabilityStatus === "AVAILABLE";
  const rest = unfinished.filter(({ id }) => id !== jobId);
  return {
    databasePath,
    nasPath,
    failed: {
      type: job.name as SyncOperation,
      seq: job.seq as number,
      target: hasGoneOn ? nasPath : job.payload.targetPath,
    },
    rest: rest.map(({ name, seq, payload }) => ({
      type: name as SyncOperation,
      seq: seq as number,
      target: payload.targetPath,
    })),
    isHeld: rest.length < unfinished.length,
    occupied: isSettled ? undefined : await occupantOf(nas, job.payload),
  };
}
