import type { StoreTx } from "@andon/engine";
import type { Decider } from "./caller.ts";

interface Decided {
  readonly action: "file.purge" | "file.restore" | "folder.restore";
  /** The item: whoever may see it may see the row. */
  readonly of: { readonly organizationId: string | null };
  /** The target in the audit row, such as `file:<id>`. */
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Writes the audit row of a person's decision, in the transaction that carries it out. */
export function recordDecision(
  tx: StoreTx,
  { actor, reason, tenantId, organizationId }: Decider,
  { of, ...decided }: Decided,
): Promise<void> {
  const organization = of.organizationId ?? organizationId;
  return tx.addAudit({ ...decided, actor, reason: reason?.trim() || null, tenant: tenantId, organization });
}
