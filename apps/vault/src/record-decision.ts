import type { StoreTx } from "@andon/engine";
import type { Decider } from "./caller.ts";

interface Decided {
  readonly action: "file.purge" | "file.restore" | "folder.restore";
  /** What it was about, such as `file:<id>`. */
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Writes the audit row of a person's decision, in the transaction that carries it out. */
export function recordDecision(
  tx: StoreTx,
  { actor, reason, tenantId }: Decider,
  decided: Decided,
): Promise<void> {
  return tx.addAudit({ ...decided, actor, reason: reason?.trim() || null, tenant: tenantId });
}
