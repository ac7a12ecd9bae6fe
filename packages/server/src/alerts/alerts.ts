import type { Job, Page } from "@andon/contract";
import type { Andon, JobWords, QueueHooks } from "@andon/engine";
import type { Logger } from "pino";
import { plainWords } from "../operator/job-words.ts";
import type { Alert } from "./alert-row.ts";
import { channelsOf } from "./channels.ts";
import { registerDeliverers } from "./deliver/deliverers.ts";
import { type AlertFilter, findAlert, listAlerts } from "./find-alerts.ts";
import { alertHooks, type QueueOfAlerts } from "./hooks.ts";
import { AlertLedger } from "./ledger.ts";
import { draftAlert } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";
import { reachOf } from "./target-address.ts";
import { AlertWatcher } from "./watcher.ts";

export { OUTBOX_RULES_FOR_ALERTS } from "./outbox-rules.ts";

export interface Alerts {
  /** Hooks that write an alert in the transaction of the stop, the resume or the failure. `words` say what a job is about. */
  hooksFor(queue: string, heldAlert?: string, words?: (job: Job) => JobWords): QueueHooks;
  /** Watches what needs a clock, and resolves what is over, until it is closed. */
  start(): { close(): Promise<void> };
  /** Says how this process delivers alerts: for one that works the outbox. */
  deliverers(): void;
  list(filter: AlertFilter, page: number, limit: number): Promise<Page<Alert>>;
  show(id: string): Promise<Alert>;
  /** Sends a test alert through every channel. */
  test(actor: string, reason?: string): Promise<Alert>;
}

interface AlertsOptions {
  readonly andon: Andon;
  readonly settings: AlertSettings;
  readonly log: Logger;
  /** Whether the store is SQLite: everything then runs on one machine. */
  readonly isEmbedded: boolean;
}

const HELD_ALERT = "LANE_HELD";
const FAILED_ALERT = "JOB_FAILED";
/** Alerts about the queue that carries them would raise the next ones. */
const SILENT_QUEUE = "outbox";

export function openAlerts({ andon, settings, log, isEmbedded }: AlertsOptions): Alerts {
  const { store } = andon;
  const { language } = settings;
  const channels = channelsOf(settings);
  const ledger = new AlertLedger(andon, channels);
  const known = new Map<string, QueueOfAlerts>();
  const named = (name: string, ownAlert: string | undefined, words = plainWords): QueueOfAlerts => ({
    name,
    heldAlert: ownAlert ?? HELD_ALERT,
    failedAlert: ownAlert ?? FAILED_ALERT,
    tellsSkips: ownAlert !== undefined,
    words,
  });
  const queueOf = (name: string) => known.get(name) ?? named(name, undefined);

  return {
    hooksFor(name, ownAlert, words) {
      if (name === SILENT_QUEUE) return {};
      const queue = named(name, ownAlert, words);
      known.set(name, queue);
      return alertHooks(queue, ledger, language);
    },

    start: () =>
      new AlertWatcher({ store, ledger, settings, log }, (name) =>
        name === SILENT_QUEUE ? undefined : queueOf(name),
      ),

    deliverers: () =>
      registerDeliverers({ andon, channels, language, reach: reachOf(settings, isEmbedded), log }),

    list: (filter, page, limit) => listAlerts(store, filter, page, limit),
    show: (id) => findAlert(store, id),

    async test(actor, reason) {
      const happening = { type: "TEST", queue: "", subject: "", details: { actor } };
      const id = await store.transaction("test-alert", async (tx) => {
        const fired = await ledger.fireResolved(tx, draftAlert("test", happening, language));
        await tx.addAudit({
          actor,
          action: "alert.test",
          target: `alert:${fired}`,
          reason: reason?.trim() || null,
          before: null,
          after: { channels: channels.map((channel) => channel.name) },
        });
        return fired;
      });
      return findAlert(store, id);
    },
  };
}
