import type { AppQueue } from "@andon/app";
import { errorText, type Job } from "@andon/contract";
import { commit, type HandlerContext, type Store, type Tx } from "@andon/engine";
import { pushRehearsal } from "./push-rehearsal.ts";
import type { PushSender } from "./push-sender.ts";

/** The pushes of one chunk. */
export interface PushPayload {
  readonly jobId: string;
  /** The first channel of the chunk: a job has one chunk that begins with it. */
  readonly first: string;
}

interface ChunkRow {
  readonly last: string;
  readonly state: string;
  readonly title: string;
  readonly body: string;
  readonly category: string;
  readonly tenantId: string;
  readonly recipients: number;
}

/** Sends the pushes of chunks, one job per chunk, so that a slow receiver delays only its own chunk. */
export function pushQueue(store: Store, sender: PushSender): AppQueue {
  const setState = async (tx: Tx, { jobId, first }: PushPayload, state: string, error: string | null) => {
    await tx.query(
      `update broadcast_chunks set push_state = $3, error = $4, sent_at = $5 where job_id = $1 and first_channel = $2`,
      [jobId, first, state, error, state === "SENT" ? store.clock.now() : null],
    );
  };
  const payloadOf = (job: Job) => job.payload as PushPayload;
  return {
    isSystem: true,
    rules: {
      attempts: 6,
      backoff: { delay: "5s", max: "5m" },
      timeout: "30s",
      onFinalFailure: "hold-lane",
      probe: false,
    },
    work: { places: 4 },
    handler: async (job: Job<never>, context: HandlerContext) => {
      const payload = payloadOf(job);
      const chunk = await findChunk(store, payload);
      if (!chunk || chunk.state === "SENT") return undefined;
      const { last, state: _state, ...message } = chunk;
      const { jobId, first } = payload;
      const channelIds = () => channelsOf(store, payload, last);
      await sender.send({ id: `${jobId}:${first}`, jobId, ...message, channelIds }, context.signal);
      return commit((tx) => setState(tx, payload, "SENT", null));
    },
    hooks: {
      failed: (job, tx) => setState(tx, payloadOf(job), "FAILED", job.error ? errorText(job.error) : null),
      retried: (job, tx) => setState(tx, payloadOf(job), "PENDING", null),
      cancelled: (job, tx) => setState(tx, payloadOf(job), "FAILED", job.resolution?.reason ?? "cancelled"),
    },
    rehearse: pushRehearsal(sender, (job) => findChunk(store, payloadOf(job))),
    describe: (job) => ({
      aggregateType: "BULK_JOB",
      aggregateId: payloadOf(job).jobId,
      eventType: "PUSH",
      name: payloadOf(job).first,
      data: job.payload,
    }),
  };
}

async function findChunk(store: Store, { jobId, first }: PushPayload): Promise<ChunkRow | undefined> {
  const [row] = await store.query<ChunkRow>(
    `select k.last_channel as last, k.push_state as state, m.title, m.body, m.category, m.tenant_id as "tenantId", k.recipients
     from broadcast_chunks k join broadcast_messages m on m.job_id = k.job_id
     where k.job_id = $1 and k.first_channel = $2`,
    [jobId, first],
  );
  return row;
}

async function channelsOf(store: Store, { jobId, first }: PushPayload, last: string): Promise<string[]> {
  const rows = await store.query<{ id: string }>(
    `select channel_id as id from broadcast_pushes
     where job_id = $1 and channel_id >= $2 and channel_id <= $3 order by channel_id`,
    [jobId, first, last],
  );
  return rows.map(({ id }) => id);
}
