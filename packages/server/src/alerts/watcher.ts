import { isAndonError } from "@andon/contract";
import { type QueueRow, type Store, type WorkerStatus, workerStatuses } from "@andon/engine";
import type { Logger } from "pino";
import { byId } from "./alert-row.ts";
import { type Due, dueAlerts, isOver, type Seen, type WatchedSettings } from "./conditions.ts";
import { noteEndedDeliveries } from "./deliveries.ts";
import { waitingIn } from "./facts.ts";
import { type QueueOfAlerts, stopDraft } from "./hooks.ts";
import { type AlertLedger, SEND_COLUMNS, type SendState } from "./ledger.ts";
import { type AlertDraft, isGrouped, type Occasion } from "./rules.ts";
import { sendUpdates } from "./send-updates.ts";

/** The delay of a pass after a signal, and the minimum time between two passes. */
const SOON_MS = 2_000;
/** The time between two passes while nothing happens, in case a signal was lost. */
const SELDOM_MS = 120_000;
/** The time between two passes while jobs wait. */
const WORKERS_EVERY_MS = 15_000;
/** Failed jobs of one cause are counted up to here. */
const COUNTED = 10_000;
/** Open alerts are few, one per queue and cause. The limit keeps a pass short in any case. */
const MOST_OPEN = 1_000;

interface WatcherPorts {
  readonly store: Store;
  readonly ledger: AlertLedger;
  readonly settings: WatchedSettings;
  readonly log: Logger;
  /** Since when too many jobs wait, by queue. It outlives one watcher of this process. */
  readonly waitingSince: Map<string, number>;
}

export interface OpenAlert extends SendState {
  occasion: Occasion;
  type: string;
  queue: string;
  subject: string;
  unsettled: number;
  changed_at: number;
}

/**
 * Fires alerts that depend on a time or a count, sends updates that were held back, and resolves alerts that are over. Signals
 * of the store wake it, and a timer wakes it for what is due; on an idle server it makes a pass every two minutes. It also
 * writes the alerts that a process without these hooks left out (a stop, a resume), also in queues that only such a process
 * has. Several processes may watch at once.
 */
export class AlertWatcher {
  readonly #ports: WatcherPorts;
  readonly #queueOf: (name: string) => QueueOfAlerts | undefined;
  readonly #stopListening: () => void;
  #cancelTimer = () => {};
  /** When the timer fires. */
  #lookAt = 0;
  #looking: Promise<void> | undefined;
  #wasWoken = false;
  #isClosed = false;
  #isFailing = false;

  /** `queueOf` returns the names and texts for a queue's alerts; undefined if the queue has none. */
  constructor(ports: WatcherPorts, queueOf: (name: string) => QueueOfAlerts | undefined) {
    this.#ports = ports;
    this.#queueOf = queueOf;
    this.#stopListening = ports.store.onSignal(() => this.#wake());
    this.#begin();
  }

  /** Resolves when the current pass has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancelTimer();
    await this.#looking;
  }

  #wake(): void {
    if (this.#looking) this.#wasWoken = true;
    else this.#lookIn(SOON_MS);
  }

  /** Sets the timer, unless it already fires sooner. */
  #lookIn(ms: number): void {
    const { clock } = this.#ports.store;
    const at = clock.monotonic() + ms;
    if (this.#isClosed || this.#lookAt <= at) return;
    this.#cancelTimer();
    this.#lookAt = at;
    this.#cancelTimer = clock.after(Math.ceil(ms), () => this.#begin());
  }

  #begin(): void {
    if (this.#isClosed) return;
    this.#wasWoken = false;
    this.#looking = this.#look().then((dueIn) => {
      this.#looking = undefined;
      this.#lookAt = Number.POSITIVE_INFINITY;
      this.#lookIn(Math.max(SOON_MS, Math.min(this.#wasWoken ? SOON_MS : SELDOM_MS, dueIn)));
    });
  }

  /** Never rejects. Returns in how many milliseconds the next pass is due. */
  async #look(): Promise<number> {
    const { log } = this.#ports;
    try {
      const dueIn = await this.#pass();
      if (this.#isFailing) log.info("alerts are watched again");
      this.#isFailing = false;
      return dueIn;
    } catch (error) {
      // Logged once, not every two seconds while the store is away.
      if (!this.#isFailing && !isAndonError(error, "CLOSED"))
        log.warn({ err: error }, "alerts cannot be watched");
      this.#isFailing = true;
      return SOON_MS;
    }
  }

  async #pass(): Promise<number> {
    const { store } = this.#ports;
    await noteEndedDeliveries(store);
    // Alerts are read before the state they report, so the state is at least as new as any alert read here.
    const open = await store.query<OpenAlert>(
      `select ${SEND_COLUMNS}, occasion, type, queue, subject, unsettled, changed_at from server_alerts
where resolved_at is null order by occasion, queue, id limit ${MOST_OPEN}`,
    );
    const rows = await store.read.queues();
    const counts = await store.read.countsOf(rows.map(({ name }) => name));
    const workers = await workerStatuses(store);
    let dueAt = Number.POSITIVE_INFINITY;
    for (const row of rows) {
      const queue = this.#queueOf(row.name);
      if (!queue) continue;
      const waiting = waitingIn(counts.get(row.name) ?? (await store.read.counts(row.name)));
      const now = store.clock.now();
      const seen = {
        row,
        waiting,
        now,
        waitingSince: this.#waitingSince(row, waiting, now),
        unworkedSince: unworkedSince(row, workers),
      };
      // A worker that dies gives no signal.
      if (waiting > 0) dueAt = Math.min(dueAt, now + WORKERS_EVERY_MS);
      const own = open.filter((alert) => alert.queue === row.name);
      dueAt = Math.min(dueAt, await this.#watch(queue, seen, own));
    }
    return Math.max(0, dueAt - store.clock.now());
  }

  /** Since when this process has seen too many jobs wait; null if they do not. */
  #waitingSince({ name }: QueueRow, waiting: number, now: number): number | null {
    const { waitingSince, settings } = this.#ports;
    if (waiting <= settings.waitingAbove) waitingSince.delete(name);
    else if (!waitingSince.has(name)) waitingSince.set(name, now);
    return waitingSince.get(name) ?? null;
  }

  /** Returns when the next alert or update of this queue is due. */
  async #watch(queue: QueueOfAlerts, seen: Seen, open: readonly OpenAlert[]): Promise<number> {
    const { settings } = this.#ports;
    const over: OpenAlert[] = [];
    for (const alert of open) if (await this.#isOver(alert, seen)) over.push(alert);
    await this.#resolve(over);
    const { drafts, nextAt }: Due = dueAlerts(seen, settings);
    for (const draft of drafts) {
      if (!open.some((alert) => isSameEpisode(alert, draft))) await this.#fire(draft);
    }
    const { row } = seen;
    const hasStopAlert = open.some(
      ({ occasion, subject }) => occasion === "stopped" && subject === row.stopId,
    );
    if (row.state === "stopped" && !hasStopAlert) await this.#fireMissedStop(queue, row);
    const lasting = open.filter((alert) => !over.includes(alert));
    const updateAt = await sendUpdates(this.#ports, lasting);
    return Math.min(nextAt, updateAt);
  }

  /** For failed jobs it asks the store, because a process without these hooks may have settled them. */
  async #isOver(alert: OpenAlert, seen: Seen): Promise<boolean> {
    const { store, settings } = this.#ports;
    const { queue, subject, occasion } = alert;
    if (occasion === "skipped") return seen.now - alert.changed_at >= settings.updateEvery;
    if (!isGrouped(occasion)) return isOver(alert, seen, settings);
    const left = await store.read.failures.countFailed(queue, subject, COUNTED);
    if (left > 0 && left < alert.unsettled) await this.#correct(alert, left);
    return left === 0;
  }

  async #correct({ id, unsettled }: OpenAlert, left: number): Promise<void> {
    await this.#ports.store.transaction("correct-alert", (tx) =>
      tx.query("update server_alerts set unsettled = $1 where id = $2 and unsettled = $3", [
        left,
        id,
        unsettled,
      ]),
    );
  }

  /** Resolves in one transaction. If a job has failed with the same cause since, its alert stays open. */
  async #resolve(over: readonly OpenAlert[]): Promise<void> {
    const { store, ledger } = this.#ports;
    if (over.length === 0) return;
    await store.transaction("resolve-alerts", async (tx) => {
      for (const { id, queue, subject, occasion } of [...over].sort(byId)) {
        if (isGrouped(occasion) && occasion !== "skipped") {
          // Locked before the check: a job that fails now is either seen here, or finds the alert resolved.
          await tx.query("update server_alerts set changed_at = changed_at where id = $1", [id]);
          if (await tx.failures.hasFailed(queue, subject)) continue;
        }
        await ledger.resolve(tx, id);
      }
    });
  }

  async #fire(draft: AlertDraft): Promise<void> {
    const { store, ledger } = this.#ports;
    // Each stop and each degraded period fires once; the number of waiting jobs may exceed its limit repeatedly.
    await store.transaction("fire-alert", (tx) =>
      draft.occasion === "waiting" ? ledger.fire(tx, draft) : ledger.fireOnce(tx, draft),
    );
  }

  /** Fires for a stop without an alert: its hooks failed, or its process has none. */
  async #fireMissedStop(queue: QueueOfAlerts, { stopId }: Seen["row"]): Promise<void> {
    const { store, ledger } = this.#ports;
    const stop = stopId === null ? undefined : await store.read.stop(stopId);
    if (stop?.kind !== "failure" || stop.resumedAt !== null) return;
    await store.transaction("fire-alert", async (tx) =>
      ledger.fireOnce(tx, await stopDraft(tx, queue, stop)),
    );
  }
}

function isSameEpisode(alert: OpenAlert, draft: AlertDraft): boolean {
  return alert.type === draft.type && alert.subject === draft.subject;
}

/** Since when a queue has lost its last worker; null if it has one. A silent worker does not count. */
function unworkedSince({ name, unworkedAt }: QueueRow, workers: readonly WorkerStatus[]): number | null {
  const own = workers.filter(({ queues }) => queues.includes(name));
  if (own.some(({ silentSince }) => silentSince === null)) return null;
  const times = own.map(({ silentSince }) => silentSince ?? 0);
  return times.length > 0 ? Math.max(...times) : unworkedAt;
}
