import type { JobState } from "@andon/contract";
import type { JobRow, Store } from "@andon/engine";
import type { Alert } from "./alert-row.ts";

type Delivery = Alert["deliveries"][number];
type DeliveryState = Delivery["state"];

/** The final state of a message by the state of its job. A job in any other state has not ended. */
const END_STATES: Partial<Record<JobState, DeliveryState>> = {
  done: "DELIVERED",
  skipped: "FAILED",
  cancelled: "FAILED",
  resolved: "FAILED",
  aborted: "FAILED",
};

/** The job of a message; undefined if the job was purged. */
type MessageJob = Pick<JobRow, "id" | "state" | "attempts" | "error"> | undefined;

const MOST_AT_ONCE = 500;

/**
 * Copies the final state of messages from their jobs. Failures of the deliverer, timeouts, lost workers and operators'
 * decisions all end in the job's row, so this one query sees all of them. Jobs are kept for days before they are purged,
 * and this runs at every pass of the watcher.
 */
export async function noteEndedDeliveries(store: Store): Promise<void> {
  // Queried outside a transaction, because most of the time there is nothing to write.
  const open = await store.query<{ job_id: string }>(
    `select job_id from server_alert_deliveries where state is null order by job_id limit ${MOST_AT_ONCE}`,
  );
  if (open.length === 0) return;
  const jobs = await jobsOf(store, open);
  const ended = open.flatMap(({ job_id }) => {
    const job = jobs.get(job_id);
    return job === undefined || END_STATES[job.state] ? [{ id: job_id, ...liveDelivery(job) }] : [];
  });
  if (ended.length === 0) return;
  await store.transaction("note-deliveries", async (tx) => {
    for (const { id, state, attempts, lastError } of ended)
      await tx.query(
        "update server_alert_deliveries set state = $1, attempts = $2, last_error = $3 where job_id = $4 and state is null",
        [state, attempts, lastError, id],
      );
  });
}

async function jobsOf(
  store: Store,
  deliveries: readonly { job_id: string }[],
): Promise<ReadonlyMap<string, MessageJob>> {
  const ids = deliveries.map(({ job_id }) => job_id);
  const jobs = ids.length === 0 ? [] : await store.read.jobsById(ids, {});
  return new Map(jobs.map((job) => [job.id, job]));
}

interface DeliveryRow {
  job_id: string;
  alert_id: string;
  channel: string;
  state: DeliveryState | null;
  attempts: number | null;
  last_error: string | null;
}

const MESSAGE_GONE = "the message was deleted before its end was noted";

function liveDelivery(job: MessageJob): Omit<Delivery, "channel"> {
  if (job === undefined) return { state: "FAILED", attempts: 0, lastError: MESSAGE_GONE };
  const { state: jobState, attempts: failures, error } = job;
  const underWay = jobState === "failed" ? "FAILED" : failures > 0 ? "RETRYING" : "PENDING";
  const state = END_STATES[jobState] ?? underWay;
  // The engine counts failures; the successful attempt is one more.
  const attempts = state === "DELIVERED" ? failures + 1 : failures;
  return { state, attempts, lastError: error?.message ?? null };
}

/** Worst first: a channel with two messages of one alert shows the one that may need attention. */
const WORST_FIRST: readonly DeliveryState[] = ["FAILED", "RETRYING", "PENDING", "DELIVERED"];

/** The deliveries by alert, one row per channel. */
export async function deliveriesOf(
  store: Store,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, Delivery[]>> {
  const found = new Map<string, Delivery[]>(alertIds.map((id) => [id, []]));
  if (alertIds.length === 0) return found;
  const rows = await store.query<DeliveryRow>(
    `select job_id, alert_id, channel, state, attempts, last_error from server_alert_deliveries
where alert_id in (${alertIds.map((_, index) => `$${index + 1}`).join(", ")}) order by channel, job_id`,
    alertIds,
  );
  const jobs = await jobsOf(
    store,
    rows.filter(({ state }) => state === null),
  );
  for (const row of rows) addWorst(found.get(row.alert_id) ?? [], deliveryOf(row, jobs.get(row.job_id)));
  return found;
}

function deliveryOf(row: DeliveryRow, job: MessageJob): Delivery {
  const { channel, state, attempts, last_error: lastError } = row;
  if (state === null) return { channel, ...liveDelivery(job) };
  return { channel, state, attempts: attempts ?? 0, lastError };
}

function addWorst(deliveries: Delivery[], delivery: Delivery): void {
  const known = deliveries.at(-1);
  if (known?.channel !== delivery.channel) deliveries.push(delivery);
  else if (WORST_FIRST.indexOf(delivery.state) < WORST_FIRST.indexOf(known.state))
    deliveries[deliveries.length - 1] = delivery;
}
