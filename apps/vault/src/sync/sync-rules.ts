import { SYNC_QUEUE, type VaultParts } from "../parts.ts";

/** Keeps in the store what the views of `nas-sync` tell of its rules. Most starts find it written. */
export async function keepSyncRules({ andon, queue }: VaultParts): Promise<void> {
  const { store } = andon;
  // The first attempt is no retry.
  const maxRetries = queue(SYNC_QUEUE).rules.attempts - 1;
  const [kept] = await store.query<{ maxRetries: number }>(
    'select max_retries as "maxRetries" from vault_sync_rules where queue = $1',
    [SYNC_QUEUE],
  );
  if (kept?.maxRetries === maxRetries) return;
  await store.transaction("sync-rules", async (tx) => {
    await tx.query("update vault_sync_rules set max_retries = $2 where queue = $1", [SYNC_QUEUE, maxRetries]);
  });
}
