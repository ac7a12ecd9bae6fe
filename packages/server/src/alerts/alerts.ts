import type { AppAlerts, JobDescription } from "@andon/app";
import type { Job, Language, Page } from "@andon/contract";
import type { Andon, QueueHooks } from "@andon/engine";
import type { Logger } from "pino";
import type { BullmqQueues } from "../bullmq/bullmq-queues.ts";
import { plainDescription } from "../operator/describe-job.ts";
import { acknowledgeAlert, type SnoozeUntil, snoozeAlert } from "./acknowledge.ts";
import type { Alert } from "./alert-row.ts";
import { BullmqWatcher } from "./bullmq-watcher.ts";
import { channelsOf } from "./channels.ts";
import { registerDeliverers } from "./deliver/deliverers.ts";
import { type AlertFilter, findAlert, listAlerts } from "./find-alerts.ts";
import { alertHooks, type QueueOfAlerts } from "./hooks.ts";
import { AlertLedger } from "./ledger.ts";
import { reachOf } from "./reach.ts";
import { draftAlert } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";
import { AlertWatcher } from "./watcher.ts";

export { OUTBOX_RULES_FOR_ALERTS } from "./outbox-rules.ts";

export interface Alerts {
  /** Hooks that write an alert in the transaction of the stop, the resume or the failure. `describe` returns a job's description. */
  hooksFor(queue: string, heldAlert?: string, describe?: (job: Job) => JobDescription): QueueHooks;
  /** Fires alerts that depend on time and resolves alerts that are over, until it is closed. */
  start(): { close(): Promise<void> };
  /** Does the same for BullMQ queues. */
  watchBullmq(queues: BullmqQueues): { close(): Promise<void> };
  /** Registers the deliverers of alerts, for a process that works the outbox. */
  deliverers(): void;
  /** In the reader's language. Default: the language of sent alerts. */
  list(filter: AlertFilter, page: number, limit: number, language?: Language): Promise<Page<Alert>>;
  show(id: string, language?: Language): Promise<Alert>;
  acknowledge(id: string, actor: string, reason?: string): Promise<void>;
  snooze(id: string, actor: string, wish: SnoozeUntil, reason?: string): Promise<void>;
  /** Sends a test alert through every channel. */
  test(actor: string, reason?: string, language?: Language): Promise<Alert>;
}

interface AlertsOptions {
  readonly andon: Andon;
  readonly settings: AlertSettings;
  readonly log: Logger;
  /** Whether the store is SQLite: everything then runs on one machine. */
  readonly isEmbedded: boolean;
  /** Alert types of apps, with their texts. */
  readonly own?: AppAlerts;
  /** The public address of the console, read when a link is made. Default: no links to the console. */
  readonly publicUrl?: (() => string) | undefined;
}

const HELD_ALERT = "LANE_HELD";
const FAILED_ALERT = "JOB_FAILED";
/** The queue that delivers alerts has none of its own: each would cause the next. */
const SILENT_QUEUE = "outbox";

export function openAlerts({ andon, settings, log, isEmbedded, own = {}, publicUrl }: AlertsOptions): Alerts {
  const { store } = andon;
  const { language, updateEvery } = settings;
  const channels = channelsOf(settings);
  const ledger = new AlertLedger({ andon, channels, updateEvery });
  const links = { publicUrl: publicUrl ?? (() => ""), runbooks: settings.runbooks };
  const waitingSince = new Map<string, number>();
  const known = new Map<string, QueueOfAlerts>();
  const named = (name: string, ownAlert: string | undefined, describe = plainDescription): QueueOfAlerts => ({
    name,
    heldAlert: ownAlert ?? HELD_ALERT,
    failedAlert: ownAlert ?? FAILED_ALERT,
    alertsOnSkip: ownAlert !== undefined,
    describe,
  });
  const queueOf = (name: string) => known.get(name) ?? named(name, undefined);

  return {
    hooksFor(name, ownAlert, describe) {
      if (name === SILENT_QUEUE) return {};
      const queue = named(name, ownAlert, describe);
      known.set(name, queue);
      return alertHooks(queue, ledger);
    },

    start: () =>
      new AlertWatcher({ store, ledger, settings, log, waitingSince }, (name) =>
        name === SILENT_QUEUE ? undefined : queueOf(name),
      ),

    watchBullmq: (queues) => new BullmqWatcher({ queues, store, ledger, settings, log }),

    deliverers: () =>
      registerDeliverers({
        andon,
        channels,
        language,
        own,
        links,
        reach: reachOf(settings, isEmbedded),
        log,
      }),

    list: (filter, page, limit, reader = language) =>
      listAlerts(store, filter, page, limit, { language: reader, own, links }),
    show: (id, reader = language) => findAlert(store, id, { language: reader, own, links }),
    acknowledge: (id, actor, reason) => acknowledgeAlert(store, id, actor, reason),
    snooze: (id, actor, wish, reason) => snoozeAlert(store, id, actor, wish, reason),

    async test(actor, reason, reader = language) {
      const happening = { type: "TEST", queue: "", subject: "", details: { actor } };
      const id = await store.transaction("test-alert", async (tx) => {
        const fired = await ledger.fireResolved(tx, draftAlert("test", happening));
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
      return findAlert(store, id, { language: reader, own, links });
    },
  };
}
