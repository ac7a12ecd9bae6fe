import { AndonError, isAndonError, type Localized } from "@andon/contract";
import type { Store, Tx } from "@andon/engine";
import { BroadcastError } from "../contract/errors.ts";
import { ImportProgress } from "./import-progress.ts";
import { type ChannelOwner, type NewChannel, storeChannels } from "./store-channels.ts";
import type { TenantMutex } from "./tenant-mutex.ts";

/** Channels of one transaction: large enough that commits cost little, small enough that others wait for milliseconds. */
const BATCH = 2_000;
/** Characters of ids and names per batch. A batch is held in memory, and many imports may run at the same time. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * Stores channels as they arrive, batch by batch, with at most one batch in memory. If the import fails, the batches before
 * the failure stay stored and the error says how many channels they hold; the same import can be sent again.
 */
export async function importChannels(
  store: Store,
  mutex: TenantMutex,
  owner: ChannelOwner & { readonly createdBy: string },
  channels: AsyncIterable<unknown>,
): Promise<{ received: number; stored: number }> {
  const count = { received: 0, stored: 0 };
  let batch: NewChannel[] = [];
  let characters = 0;
  const progress = new ImportProgress(store, owner);
  const flush = async (alsoWrite: (tx: Tx, stored: number) => Promise<void>) => {
    if (batch.length === 0) return;
    count.stored += await mutex.run(owner.tenantId, () =>
      storeChannels(store, owner, batch, count.stored, alsoWrite),
    );
    batch = [];
    characters = 0;
  };
  const save = (tx: Tx, stored: number) => progress.save(tx, "RUNNING", { ...count, stored });
  try {
    for await (const channel of channels as AsyncIterable<NewChannel>) {
      count.received++;
      batch.push(channel);
      characters += channel.id.length + (channel.name?.length ?? 0);
      if (batch.length >= BATCH || characters >= BATCH_CHARACTERS) await flush(save);
    }
    await flush(async () => {});
    await progress.end("DONE", count);
  } catch (error) {
    // The failure may be the store's own. Then the row keeps the count of the last batch.
    await progress.end("BROKEN", count).catch(() => {});
    throw withCount(error, store, count);
  }
  return count;
}

/** The same error, with how many channels are stored. */
function withCount(
  error: unknown,
  store: Store,
  { received, stored }: { received: number; stored: number },
): unknown {
  if (store.isUnavailable(error) || isCutOff(error))
    return new BroadcastError("IMPORT_INCOMPLETE", { received, stored }, { cause: error });
  if (isAndonError(error, "REQUEST_TIMEOUT"))
    return new BroadcastError("IMPORT_TIMED_OUT", { received, stored }, { cause: error });
  if (!isAndonError(error, "VALIDATION_FAILED")) return error;
  const message: Localized = {
    en: `channels before it that are stored: ${stored}`,
    ko: `그 전에 저장된 채널: ${stored}개`,
  };
  const { problem, fields } = error.details as { problem: Localized; fields: readonly unknown[] };
  return new AndonError("VALIDATION_FAILED", {
    problem: { en: `${problem.en}; ${message.en}`, ko: `${problem.ko}; ${message.ko}` },
    fields: [...fields, { in: "body", field: "", message }],
    stored,
  });
}

/** The connection closed before the body ended: the answer reaches nobody, but the log records it. */
function isCutOff(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
