import type { QueueState } from "@andon/contract";
import { AndonError } from "@andon/contract";
import type { QueueRow } from "@andon/engine";
import { QUEUE_COLUMNS } from "../statements/queue-row.ts";
import { type StepContext, shared } from "./statement-registry.ts";

interface RawQueue {
  name: string;
  state: QueueState | "ramping";
  epoch: number;
  stopped_at: number | null;
  stop_reason: string | null;
  stop_actor: string | null;
  stop_job_id: string | null;
  stop_id: string | null;
  probe_job_id: string | null;
  degraded_at: number | null;
  ramp: string | null;
  unworked_at: number | null;
}

const lockShare = shared("queue-lock-share", (d) => d.lockQueueShare);
const lockExclusive = shared("queue-lock-exclusive", (d) => d.lockQueueExclusive);
const save = shared(
  "queue-save",
  () => `update andon_queues set state = @state, epoch = @epoch, stopped_at = @stoppedAt, stop_reason = @stopReason,
  stop_actor = @stopActor, stop_job_id = @stopJobId, stop_id = @stopId, probe_job_id = @probeJobId,
  degraded_at = @degradedAt, ramp = @ramp
where name = @name`,
);
const read = shared("queue-read", () => `select ${QUEUE_COLUMNS} from andon_queues where name = @name`);
const list = shared("queue-list", () => `select ${QUEUE_COLUMNS} from andon_queues order by name`);
const ensure = shared(
  "queue-ensure",
  () => "insert into andon_queues (name) values (@name) on conflict do nothing",
);

/**
 * The stored state of a ramping queue: claims take only from queues stored as `open`. In a QueueRow its state is
 * `open`.
 */
const RAMPING = "ramping";

const endLockTimeoutNow = shared("queue-end-lock-timeout", (d) => d.endLockTimeout ?? "select 1");

/** For the locks taken just before the commit: no transaction waits for another lock while it holds them. */
export async function endLockTimeout(at: StepContext): Promise<void> {
  if (at.dialect.endLockTimeout) await at.session.run(endLockTimeoutNow(at.dialect), {});
}

export async function lockQueue(
  at: StepContext,
  name: string,
  mode: "share" | "exclusive",
): Promise<QueueRow> {
  const statement = (mode === "share" ? lockShare : lockExclusive)(at.dialect);
  const [raw] = await at.session.all<RawQueue>(statement, { queue: name });
  if (!raw) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
  return queueRow(raw);
}

export async function saveQueue(at: StepContext, row: QueueRow): Promise<void> {
  const { ramp, state } = row;
  const values = {
    ...row,
    state: ramp ? RAMPING : state,
    ramp: ramp && JSON.stringify(ramp),
  };
  await at.session.run(save(at.dialect), values);
}

export async function readQueue(at: StepContext, name: string): Promise<QueueRow | undefined> {
  const [raw] = await at.session.all<RawQueue>(read(at.dialect), { name });
  return raw && queueRow(raw);
}

export async function listQueues(at: StepContext): Promise<QueueRow[]> {
  return (await at.session.all<RawQueue>(list(at.dialect), {})).map(queueRow);
}

export async function ensureQueue(at: StepContext, name: string): Promise<void> {
  await at.session.run(ensure(at.dialect), { name });
}

function queueRow(raw: RawQueue): QueueRow {
  return {
    name: raw.name,
    state: raw.state === RAMPING ? "open" : raw.state,
    epoch: raw.epoch,
    stoppedAt: raw.stopped_at,
    stopReason: raw.stop_reason,
    stopActor: raw.stop_actor,
    stopJobId: raw.stop_job_id,
    stopId: raw.stop_id,
    probeJobId: raw.probe_job_id,
    degradedAt: raw.degraded_at,
    unworkedAt: raw.unworked_at,
    ramp: raw.ramp === null ? null : JSON.parse(raw.ramp),
  };
}
