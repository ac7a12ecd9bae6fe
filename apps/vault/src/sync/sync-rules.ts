import { SYNC_QUEUE, type VaultParts } from "../parts.ts";

/** The first attempt is no retry, and so the last failure is none. */
export function maxRetriesOf({ queue }: Pick<VaultParts, "queue">): number {
  return queue(SYNC_QUEUE).rules.attempts - 1;
}

/** Keeps in the store what the views of `nas-sync` tell of its rules. Most starts find it written. */
export async function keepSyncRules(parts: VaultParts): Promise<void> {
  const { store } = parts.andon;
  const maxRetries = maxRetriesOf(parts);
  const [kept] = await store.query<{ maxRetries: number }>(
    'select max_retries as "maxRetries" from vault_sync_rules where queue = $1',
    [SYNC_QUEUE],
  );
  if (kept?.maxRetries === maxRetries) return;
  await store.transaction("sync-rules", async (tx) => {
    await tx.query("update vault_sync_rules set max_retries = $2 where queue = $1", [SYNC_QUEUE, maxRetries]);
  });
}
