import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@andon/engine";
import type { AndonServer } from "../servers/andon.ts";
import { ask, ended, makeJob } from "./bulk-api.ts";
import { ChunkWatch } from "./watch-chunks.ts";

/** The largest that a bulk job may have: what an abort costs beyond its chunk is the same for all sizes. */
export const ABORTED_CHUNK = 10_000;
/** The first one begins with the count of the audience. */
const FIRST_CHUNKS = 2;
const WITHIN_CHUNKS = 2;

interface Stop {
  /** From the request, as its caller sends it, until the stop is committed and seen by another process. */
  readonly ms: number;
  /** The same, in lengths of the chunk that was under way when the request was sent. */
  readonly chunks: number;
}

/** Aborts a job at a random moment of a chunk. Undefined where the job was at its end by then. */
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
