import { isAndonError, iso, type Language, waitingOf } from "@andon/contract";
import type { QueueRow, Store, StoreTx } from "@andon/engine";
import type { Logger } from "pino";
import { byId } from "./alert-row.ts";
import { noteEndedDeliveries } from "./deliveries.ts";
import { fireForFailed, type QueueOfAlerts, stopDraft } from "./hooks.ts";
import type { AlertLedger } from "./ledger.ts";
import { type AlertDraft, draftAlert, type Occasion } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";

const LOOK_EVERY_MS = 2_000;
/** What one look resolves of a kind that thousands may be open of: it must not keep everybody else waiting. */
const MOST_AT_ONCE = 500;

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
}

/** Occasions that a queue has at most a few open alerts of. */
const FEW = "('stopped', 'pausedLong', 'waiting')";

/** Those that are about failed jobs: the database itself finds which are over. */
const OVER_BY_JOB: Readonly<Partial<Record<Occasion, string>>> = {
  held: `select a.id from andon_alerts a left join (
  select distinct held_job_id from andon_lanes where queue = $1 and held_at is not null and held_job_id is not null
) holder on holder.held_job_id = a.subject
where a.occasion = 'held' and a.queue = $1 and a.resolved_at is null and holder.held_job_id is null order by a.id limit $2`,
  restCancelled: `select a.id from andon_alerts a where a.occasion = 'restCancelled' and a.queue = $1 and a.resolved_at is null
and not exists (select 1 from andon_jobs j where j.id = a.subject and j.state = 'failed') order by a.id limit $2`,
  failed: `select a.id from andon_alerts a where a.occasion = 'failed' and a.queue = $1 and a.resolved_at is null
and not exists (select 1 from andon_aside f where f.queue = $1 and f.state = 'failed') order by a.id limit $2`,
};

/** What is open, by queue. */
interface Open {
  readonly few: ReadonlyMap<string, readonly OpenAlert[]>;
  readonly occasions: ReadonlyMap<string, readonly { occasion: Occasion }[]>;
}

/**
 * Looks at the queues every other second: fires what needs a clock or a count, and resolves what is over. It also makes
 * up for what a process without these hooks did (a stop, a resume), also in queues that only such a process knows. Many
 * processes may watch at once.
 */
export class AlertWatcher {
  readonly #ports: WatcherPorts;
  readonly #queueOf: (name: string) => QueueOfAlerts | undefined;
  #cancelTimer = () => {};
  #looking: Promise<void>;
  #isClosed = false;
  #isFailing = false;

  /** `queueOf` says how to speak of a queue, and whether at all. */
  constructor(ports: WatcherPorts, queueOf: (name: string) => QueueOfAlerts | undefined) {
    this.#ports = ports;
    this.#queueOf = queueOf;
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
    const open = await this.#open();
    const rows = new Map((await store.read.queues()).map((row) => [row.name, row]));
    for (const row of rows.values()) {
      const queue = this.#queueOf(row.name);
      if (!queue) continue;
      const occasions = open.occasions.get(queue.name) ?? [];
      await this.#resolveByJob(
        queue,
        occasions.map(({ occasion }) => occasion),
      );
      await this.#watch(queue, row, open.few.get(queue.name) ?? []);
    }
  }

  async #open(): Promise<Open> {
    const { store } = this.#ports;
    const few = await store.query<OpenAlert>(
      `select id, occasion, type, queue, subject from andon_alerts
where occasion in ${FEW} and resolved_at is null`,
    );
    const occasions = await store.query<{ occasion: Occasion; queue: string }>(
      "select distinct occasion, queue from andon_alerts where resolved_at is null",
    );
    const queueOf = ({ queue }: { queue: string }) => queue;
    return { few: grouped(few, queueOf), occasions: grouped(occasions, queueOf) };
  }

  async #resolveByJob(queue: QueueOfAlerts, occasions: readonly Occasion[]): Promise<void> {
    const { store, ledger, settings } = this.#ports;
    for (const occasion of occasions) {
      const sql = OVER_BY_JOB[occasion];
      if (!sql) continue;
      const over = await store.query<{ id: string }>(sql, [queue.name, MOST_AT_ONCE]);
      // One alert stands for many jobs here: the next may have failed since, and found the alert still open.
      const lookAgain = (tx: StoreTx) => fireForFailed(tx, queue, ledger, settings.language);
      await this.#resolve(over, occasion === "failed" ? lookAgain : undefined);
    }
  }

  /** All in one transaction. */
  async #resolve(over: readonly { id: string }[], lookAgain?: (tx: StoreTx) => Promise<void>): Promise<void> {
    const { store, ledger } = this.#ports;
    if (over.length === 0) return;
    await store.transaction("resolve-alerts", async (tx) => {
      for (const { id } of [...over].sort(byId)) await ledger.resolve(tx, id);
      await lookAgain?.(tx);
    });
  }

  async #watch(queue: QueueOfAlerts, row: QueueRow, open: readonly OpenAlert[]): Promise<void> {
    const { store, ledger } = this.#ports;
    const seen: Seen = { row, waiting: waitingOf(await store.read.counts(queue.name)) };
    await this.#resolve(open.filter((alert) => this.#isOver(alert, seen)));
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

  #isOver({ occasion, subject }: OpenAlert, { row, waiting }: Seen): boolean {
    return occasion === "waiting" ? waiting <= this.#ports.settings.waitingAbove : subject !== row.stopId;
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
      const pausedAt = iso(stoppedAt);
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
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function isSameEpisode(alert: OpenAlert, draft: AlertDraft): boolean {
  return alert.type === draft.type && alert.subject === draft.subject;
}
