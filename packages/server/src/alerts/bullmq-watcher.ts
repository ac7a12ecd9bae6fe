import type { FailedDetail, QueueStatus, Stop } from "@andon/bullmq";
import { AndonError } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { Logger } from "pino";
import type { BullmqQueues } from "../bullmq/bullmq-queues.ts";
import { stoppedEvent } from "../bullmq/stopped-event.ts";
import { byId } from "./alert-row.ts";
import { dueAlerts, isOver, type Seen, type WatchedSettings } from "./conditions.ts";
import { type AlertLedger, SEND_COLUMNS, type SendState } from "./ledger.ts";
import { type AlertDraft, draftAlert, type Occasion } from "./rules.ts";
import { sendUpdates } from "./send-updates.ts";

/** The polling interval: BullMQ sends this process no signals. */
const LOOK_EVERY_MS = 2_000;
const MOST_OPEN = 1_000;

interface BullmqWatcherPorts {
  readonly queues: BullmqQueues;
  readonly store: Store;
  readonly ledger: AlertLedger;
  readonly settings: WatchedSettings;
  readonly log: Logger;
}

interface Found {
  readonly status: QueueStatus;
  readonly stop: Stop | null;
  /** The job that stopped the queue, as long as it is failed. */
  readonly job: FailedDetail | undefined;
}

interface OpenAlert extends SendState {
  readonly occasion: Occasion;
  readonly type: string;
  readonly subject: string;
}

/**
 * The alerts of BullMQ queues. A worker writes the stop in Redis; this watcher writes its alert and its audit row, once, in whichever
 * process sees the stop first. While Redis does not answer, the alerts stay unchanged.
 */
export class BullmqWatcher {
  readonly #ports: BullmqWatcherPorts;
  readonly #waitingSince = new Map<string, number>();
  readonly #failing = new Set<string>();
  #cancelTimer = () => {};
  #looking: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(ports: BullmqWatcherPorts) {
    this.#ports = ports;
    this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#looking;
  }

  #begin(): void {
    if (this.#isClosed) return;
    const { queues, store } = this.#ports;
    this.#looking = Promise.all(queues.names.map((name) => this.#look(name))).then(() => {
      if (!this.#isClosed) this.#cancelTimer = store.clock.after(LOOK_EVERY_MS, () => this.#begin());
    });
  }

  /** Never rejects. */
  async #look(name: string): Promise<void> {
    const { log } = this.#ports;
    try {
      await this.#pass(name);
      if (this.#failing.delete(name)) log.info({ queue: name }, "the BullMQ queue is watched again");
    } catch (error) {
      // Logged once, not every two seconds while Redis is away.
      if (!this.#failing.has(name) && !this.#isClosed)
        log.warn({ err: error, queue: name }, "the BullMQ queue cannot be watched");
      this.#failing.add(name);
    }
  }

  async #pass(name: string): Promise<void> {
    const { store, settings } = this.#ports;
    const found = await this.#find(name);
    const open = await store.query<OpenAlert>(
      `select ${SEND_COLUMNS}, occasion, type, subject from server_alerts
where queue = $1 and resolved_at is null order by id limit ${MOST_OPEN}`,
      [name],
    );
    const seen = this.#seen(name, found);
    const over = open.filter((alert) => isOver(alert, seen, settings));
    await this.#resolve(over);
    await sendUpdates(
      this.#ports,
      open.filter((alert) => !over.includes(alert)),
    );
    for (const draft of dueAlerts(seen, settings).drafts) {
      const isTold = open.some(({ type, subject }) => type === draft.type && subject === draft.subject);
      if (!isTold) await this.#fire(draft);
    }
    if (found.stop?.failedJobId && !open.some(({ occasion }) => occasion === "stopped"))
      await this.#tellStop(name, found, found.stop);
  }

  #find(name: string): Promise<Found> {
    return this.#ports.queues.use(name, async (operations) => {
      const { status, stop } = await operations.inspect();
      const id = stop?.failedJobId;
      return { status, stop, job: id ? await operations.failedJob(id).catch(unlessAway) : undefined };
    });
  }

  #seen(name: string, { status, stop }: Found): Seen {
    const now = this.#ports.store.clock.now();
    if (status.waiting <= this.#ports.settings.waitingAbove) this.#waitingSince.delete(name);
    else if (!this.#waitingSince.has(name)) this.#waitingSince.set(name, now);
    return {
      row: {
        name,
        state: status.isPaused ? "stopped" : "open",
        stopId: stop?.stopId ?? null,
        stoppedAt: stop ? Date.parse(stop.pausedAt) : null,
        stopReason: stop?.pauseReason ?? null,
        stopActor: stop?.pausedBy ?? null,
        degradedAt: null,
        probeJobId: null,
      },
      waiting: status.waiting,
      waitingSince: this.#waitingSince.get(name) ?? null,
      unworkedSince: null,
      now,
    };
  }

  async #resolve(over: readonly OpenAlert[]): Promise<void> {
    if (over.length === 0) return;
    const { store, ledger } = this.#ports;
    await store.transaction("resolve-alerts", async (tx) => {
      for (const { id } of [...over].sort(byId)) await ledger.resolve(tx, id);
    });
  }

  async #fire(draft: AlertDraft): Promise<void> {
    const { store, ledger } = this.#ports;
    await store.transaction("fire-alert", (tx) =>
      draft.occasion === "waiting" ? ledger.fire(tx, draft) : ledger.fireOnce(tx, draft),
    );
  }

  async #tellStop(name: string, found: Found, stop: Stop): Promise<void> {
    const { store, ledger } = this.#ports;
    await store.transaction("fire-alert", async (tx) => {
      if (!(await ledger.fireOnce(tx, stopDraft(name, found, stop)))) return;
      tx.event("queue.stopped", name, null, stoppedEvent(name, "failure", stop));
      await tx.addAudit({
        actor: stop.pausedBy,
        action: "queue.stop",
        target: `queue:${name}`,
        reason: stop.pauseReason,
        before: { state: "open" },
        after: { state: "stopped", stop: stop.stopId, job: stop.failedJobId, pausedAt: stop.pausedAt },
      });
    });
  }
}

function stopDraft(queue: string, { status, job }: Found, stop: Stop): AlertDraft {
  const jobId = stop.failedJobId;
  const details = {
    jobId,
    syncEventId: job?.syncEventId ?? jobId,
    ...(job && { aggregateType: job.aggregateType, aggregateId: job.aggregateId, eventType: job.eventType }),
    error: stop.failedReason ?? "",
    pendingJobCount: status.waiting,
    queue,
  };
  const type = `${stop.pauseReason}_QUEUE_PAUSED`;
  const facts = { attempts: stop.attemptsMade ?? 0 };
  return draftAlert("stopped", { type, queue, subject: stop.stopId, details, facts });
}

/** An operator may have decided about the job in the meantime. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof AndonError)) throw error;
}
