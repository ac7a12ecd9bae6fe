import type { JobState } from "@andon/contract";
import type { Store, Tx } from "@andon/engine";
import type { Alert } from "./alert-row.ts";

type Delivery = Alert["deliveries"][number];
type DeliveryState = Delivery["state"];

/** How a message ended, by the state of its job. A job that is not named here still has its end before it. */
const END_STATES: Partial<Record<JobState, DeliveryState>> = {
  done: "DELIVERED",
  skipped: "FAILED",
  cancelled: "FAILED",
  resolved: "FAILED",
  aborted: "FAILED",
};

const ENDED = Object.entries(END_STATES);

/**
 * Copies how messages ended from their jobs. Failures by the deliverer, by a timeout, by a lost worker and by an
 * operator's decision all end in the job's row, so that this one statement sees every one of them; a job is kept for
 * days before it is purged, and this runs every other second.
 */
export async function noteEndedDeliveries(store: Store): Promise<void> {
  // Looked for outside of a transaction: most of the time there is nothing to write.
  const ended = await store.query<{ job_id: string }>(
    // By the deliveries that are open: with a join PostgreSQL would start at the jobs that have ended where it knows of none.
    `select d.job_id from andon_alert_deliveries d
where d.state is null and (select j.state from andon_jobs j where j.id = d.job_id) in (${ENDED.map((_, index) => `$${index + 1}`).join(", ")}) order by d.job_id limit 500`,
    ENDED.map(([state]) => state),
  );
  if (ended.length === 0) return;
  await store.transaction("note-deliveries", async (tx) => {
    for (const { job_id } of ended) await noteEnd(tx, job_id);
  });
}

async function noteEnd(tx: Tx, jobId: string): Promise<void> {
  const [job] = await tx.query<Live>(
    "select state as job_state, attempts as job_attempts, error_message as job_error from andon_jobs where id = $1",
    [jobId],
  );
  if (!job) return;
  const { state, attempts, lastError } = liveDelivery(job);
  await tx.query(
    "update andon_alert_deliveries set state = $1, attempts = $2, last_error = $3 where job_id = $4 and state is null",
    [state, attempts, lastError, jobId],
  );
}

interface Live {
  job_state: string | null;
  job_attempts: number | null;
  job_error: string | null;
}
interface DeliveryRow extends Live {
  alert_id: string;
  channel: string;
  state: DeliveryState | null;
  attempts: number | null;
  last_error: string | null;
}

function liveDelivery({ job_state, job_attempts, job_error }: Live): Omit<Delivery, "channel"> {
  if (job_state === null) {
    const lastError = "the message was deleted before its end was noted";
    return { state: "FAILED", attempts: 0, lastError };
  }
  const failures = job_attempts ?? 0;
  const underWay = job_state === "failed" ? "FAILED" : failures > 0 ? "RETRYING" : "PENDING";
  const state = END_STATES[job_state as JobState] ?? underWay;
  // The engine counts failures; the try that succeeded is one more.
  return { state, attempts: state === "DELIVERED" ? failures + 1 : failures, lastError: job_error };
}

/** The worst first: a channel that has two messages of an alert shows the one that somebody may have to look at. */
const WORST_FIRST: readonly DeliveryState[] = ["FAILED", "RETRYING", "PENDING", "DELIVERED"];

/** By alert: one row per channel. */
export async function deliveriesOf(
  store: Store,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, Delivery[]>> {
  const found = new Map<string, Delivery[]>(alertIds.map((id) => [id, []]));
  if (alertIds.length === 0) return found;
  const rows = await store.query<DeliveryRow>(
    `select d.alert_id, d.channel, d.state, d.attempts, d.last_error,
  j.state as job_state, j.attempts as job_attempts, j.error_message as job_error
from andon_alert_deliveries d left join andon_jobs j on j.id = d.job_id
where d.alert_id in (${alertIds.map((_, index) => `$${index + 1}`).join(", ")}) order by d.channel, d.job_id`,
    alertIds,
  );
  for (const row of rows) addWorst(found.get(row.alert_id) ?? [], deliveryOf(row));
  return found;
}

function deliveryOf(row: DeliveryRow): Delivery {
  const { channel, state, attempts, last_error: lastError } = row;
  if (state === null) return { channel, ...liveDelivery(row) };
  return { channel, state, attempts: attempts ?? 0, lastError };
}

function addWorst(deliveries: Delivery[], delivery: Delivery): void {
  const known = deliveries.at(-1);
  if (known?.channel !== delivery.channel) deliveries.push(delivery);
  else if (WORST_FIRST.indexOf(delivery.state) < WORST_FIRST.indexOf(known.state))
    deliveries[deliveries.length - 1] = delivery;
}
