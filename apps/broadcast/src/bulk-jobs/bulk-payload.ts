import type { Job, Throttle } from "@andon/contract";

/** The payload of a bulk job in the engine. Its texts are in `broadcast_messages`. */
export interface BulkPayload {
  readonly category: string;
  readonly title: string;
  readonly organizationId: string | null;
  readonly chunkSize: number;
  readonly throttle: Throttle;
}

export const DEFAULT_CHUNK_SIZE = 1_000;

export function payloadOf(job: Pick<Job, "payload">): BulkPayload {
  return job.payload as BulkPayload;
}
