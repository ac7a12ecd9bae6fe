import { isAndonError, type Language } from "@andon/contract";
import type { QueueRow, Store } from "@andon/engine";
import type { Logger } from "pino";
import { noteEndedDeliveries } from "./deliveries.ts";
import { type QueueOfAlerts, stopDraft } from "./hooks.ts";
import type { AlertLedger } from "./ledger.ts";
import { type AlertDraft, draftAlert, type Occasion } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";

const LOOK_EVERY_MS = 2_000;

interface WatcherPorts {
  readonly store: Store;
  readonly ledger: AlertLedger;
  readonly settings: Pick<AlertSettings, "waitingAbove" | "pausedLongerThan"> & { language: Language };
  readonly log: Logger;
}

interface OpenAlert {
  id: string;
  occasion: Occasion;
  type: string;
  queue: string;
  subject: string;
}

/** What a look at one queue saw. */
interface Seen {
  readonly row: QueueRow;
  readonly waiting: number;
  /** Jobs that hold lanes. */
  readonly holding: ReadonlySet<string>;
  /** Failed jobs that nobody has settled yet, of those whose alert is open. */
  readonly unsettled: ReadonlySet<string>;
}

/**
 * Looks at the queues every other second: fires what needs a clock or a count, and resolves what is over. It also makes
 * up for what a process without these hooks did (a stop, a resume). Many processes may watch at once.
 */
export class AlertWatcher {
  readonly #ports: WatcherPorts;
  readonly #queues: readonly QueueOfAlerts[];
  #cancelTimer = () => {};
  #looking: Promise<void>;
  #isClosed = false;
  #isFailing = false;

  constructor(ports: WatcherPorts, queues: readonly QueueOfAlerts[]) {
    this.#ports = ports;
    this.#queues = queues;
    this.#looking = this.#look();
  }

  /** Resolves when the look that is under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#looking;
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { log, store } = this.#ports;
    try {
      await this.#pass();
      if (this.#isFailing) log.info("alerts are watched again");
      this.#isFailing = false;
    } catch (error) {
      // Told once, not every other second for as long as the store is away.
      if (!this.#isFailing && !isAndonError(error, "CLOSED"))
        log.warn({ err: error }, "alerts cannot be watched");
      this.#isFailing = true;
    }
    if (this.#isClosed) return;
    this.#cancelTimer = store.clock.after(LOOK_EVERY_MS, () => {
      this.#looking = this.#look();
    });
  }

  async #pass(): Promise<void> {
    const { store } = this.#ports;
    await noteEndedDeliveries(store);
    // Alerts are read before the state they tell of: one that is seen here was written with that state or after it.
    const open = await store.query<OpenAlert>(
      "select id, occasion, type, queue, subject from andon_alerts where resolved_at is null order by fired_at, id",
    );
    const rows = new Map((await store.read.queues()).map((row) => [row.name, row]));
    for (const queue of this.#queues) {
      const row = rows.get(queue.name);
      if (row)
        await this.#watch(
          queue,
          row,
          open.filter((alert) => alert.queue === queue.name),
        );
    }
  }

  async #watch(queue: QueueOfAlerts, row: QueueRow, open: readonly OpenAlert[]): Promise<void> {
    const { store, ledger } = this.#ports;
    const { ready, blocked, parked } = await store.read.counts(queue.name);
    const hasOpen = (occasion: Occasion) => open.some((alert) => alert.occasion === occasion);
    const holding = hasOpen("held") ? await this.#holding(queue.name) : NOBODY;
    const unsettled = hasOpen("restCancelled") ? await this.#unsettled(queue.name) : NOBODY;
    const seen: Seen = { row, waiting: ready + blocked + parked, holding, unsettled };
    for (const alert of open) {
      if (this.#isOver(alert, seen))
        await store.transaction("resolve-alert", (tx) => ledger.resolve(tx, alert.id));
    }
    for (const draft of this.#due(seen)) {
      if (open.some((alert) => isSameEpisode(alert, draft))) continue;
      // A stop is an episode of its own; how many wait may pass its limit again and again.
      const once = draft.occasion === "pausedLong";
      await store.transaction("fire-alert", (tx) =>
        once ? ledger.fireOnce(tx, draft) : ledger.fire(tx, draft),
      );
    }
    if (
      row.state === "stopped" &&
      !open.some((alert) => alert.occasion === "stopped" && alert.subject === row.stopId)
    )
      await this.#fireMissedStop(queue, row);
  }

  #isOver({ occasion, subject }: OpenAlert, { row, waiting, holding, unsettled }: Seen): boolean {
    switch (occasion) {
      case "stopped":
      case "pausedLong":
        return subject !== row.stopId;
      case "waiting":
        return waiting <= this.#ports.settings.waitingAbove;
      case "held":
        return !holding.has(subject);
      case "restCancelled":
        return !unsettled.has(subject);
      case "skipped":
      case "test":
        return true;
    }
  }

  #due({ row, waiting }: Seen): AlertDraft[] {
    const { waitingAbove, pausedLongerThan, language } = this.#ports.settings;
    const { name: queue, stoppedAt, stopId } = row;
    const due: AlertDraft[] = [];
    if (waiting > waitingAbove) {
      const details = { queue, waiting, waitingAbove };
      const type = "QUEUE_WAITING_EXCEEDED";
      due.push(draftAlert("waiting", { type, queue, subject: "", details }, language));
    }
    if (
      stopId !== null &&
      stoppedAt !== null &&
      this.#ports.store.clock.now() - stoppedAt > pausedLongerThan
    ) {
      const pausedAt = new Date(stoppedAt).toISOString();
      const { stopReason: pauseReason, stopActor: pausedBy } = row;
      const details = { queue, pausedAt, pauseReason, pausedBy, pendingJobCount: waiting };
      const type = "QUEUE_PAUSED_LONG_TIME";
      due.push(draftAlert("pausedLong", { type, queue, subject: stopId, details }, language));
    }
    return due;
  }

  /** A stop whose hooks could not be called (they are what failed), or by a process that has none. */
  async #fireMissedStop(queue: QueueOfAlerts, { stopId }: QueueRow): Promise<void> {
    const { store, ledger, settings } = this.#ports;
    const stop = stopId === null ? undefined : await store.read.stop(stopId);
    if (stop?.kind !== "failure" || stop.resumedAt !== null) return;
    await store.transaction("fire-alert", async (tx) =>
      ledger.fireOnce(tx, await stopDraft(tx, queue, stop, settings.language)),
    );
  }

  async #holding(queue: string): Promise<ReadonlySet<string>> {
    const rows = await this.#ports.store.query<{ held_job_id: string }>(
      "select distinct held_job_id from andon_lanes where queue = $1 and held_at is not null and held_job_id is not null",
      [queue],
    );
    return new Set(rows.map((row) => row.held_job_id));
  }

  async #unsettled(queue: string): Promise<ReadonlySet<string>> {
    const rows = await this.#ports.store.query<{ id: string }>(
      `select j.id from andon_alerts a join andon_jobs j on j.id = a.subject
where a.queue = $1 and a.occasion = 'restCancelled' and a.resolved_at is null and j.state = 'failed'`,
      [queue],
    );
    return new Set(rows.map((row) => row.id));
  }
}

const NOBODY: ReadonlySet<string> = new Set();

function isSameEpisode(alert: OpenAlert, draft: AlertDraft): boolean {
  return alert.type === draft.type && alert.subject === draft.subject;
}
