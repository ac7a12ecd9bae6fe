import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@andon/engine";
import type { AndonServer } from "../servers/andon.ts";
import { ask, ended, makeJob } from "./bulk-api.ts";
import { ChunkWatch } from "./watch-chunks.ts";

/** The largest chunk that a bulk job may have. The delay of an abort beyond its chunk is the same for all sizes. */
export const ABORTED_CHUNK = 10_000;
/** The second chunk is measured, because the first includes the count of the audience. */
const FIRST_CHUNKS = 2;
const WITHIN_CHUNKS = 2;

interface Stop {
  /** From the moment the caller sends the request until another process sees the committed stop. */
  readonly ms: number;
  /** The same in units of the duration of the chunk that was running when the request was sent. */
  readonly chunks: number;
}

/** Aborts a job at a random moment of a chunk. Undefined if the job had ended before the abort. */
export async function abortAtRandom(
  server: AndonServer,
  store: Store,
  problems: string[],
): Promise<Stop | undefined> {
  const id = await makeJob(server, ABORTED_CHUNK);
  const watch = new ChunkWatch(store, id, ABORTED_CHUNK);
  const chunkMs = await watch.committed(FIRST_CHUNKS);
  await sleep(Math.random() * WITHIN_CHUNKS * chunkMs);
  const sentAt = performance.now();
  const { status } = await ask(server, "POST", `/bulk-jobs/${id}/abort`);
  const ms = (await watch.ended) - sentAt;
  const job = await ended(server, id);
  const isWhole = job.processed % ABORTED_CHUNK === 0 || job.processed === job.total;
  if (status === 202 && !isWhole) problems.push(`${job.processed} processed`);
  await ask(server, "DELETE", `/bulk-jobs/${id}`);
  return job.state === "ABORTED" ? { ms, chunks: ms / watch.chunkAt(sentAt) } : undefined;
}
