import type { AppAlerts, Reach } from "@andon/app";
import type { Language } from "@andon/contract";
import { type Andon, type HandlerContext, type Message, Unretryable } from "@andon/engine";
import type { Logger } from "pino";
import { ALERT_COLUMNS, type AlertRow } from "../alert-row.ts";
import type { Channel, ChannelOf } from "../channels.ts";
import { deliveriesOf } from "../deliveries.ts";
import { togetherOf } from "../find-alerts.ts";
import type { AlertMessage } from "../ledger.ts";
import type { AlertLinks } from "../links.ts";
import { ALERT_KIND_PREFIX } from "../outbox-rules.ts";
import type { ChannelSettings } from "../settings.ts";
import { deliverEmail } from "./email.ts";
import { deliverLog } from "./log.ts";
import { type SentAlert, sentAlert } from "./sent-alert.ts";
import { deliverSlack } from "./slack.ts";
import { deliverWebhook } from "./webhook.ts";

interface DelivererPorts {
  readonly andon: Andon;
  readonly channels: readonly Channel[];
  readonly language: Language;
  /** Alert types of apps, with their texts. */
  readonly own: AppAlerts;
  readonly links: AlertLinks;
  readonly reach: Reach;
  readonly log: Logger;
}

type Deliver<Of extends Channel> = (
  channel: Of,
  alert: SentAlert,
  deliveryId: string,
  ports: DelivererPorts & { signal: AbortSignal },
) => Promise<void> | void;

const DELIVERERS: { readonly [Type in ChannelSettings["type"]]: Deliver<ChannelOf<Type>> } = {
  webhook: async (channel, alert, id, ports) => {
    const deliveries = (await deliveriesOf(ports.andon.store, [alert.id])).get(alert.id) ?? [];
    await deliverWebhook(channel, { ...alert, deliveries }, id, ports);
  },
  slack: (channel, alert, _id, ports) => deliverSlack(channel, alert, ports.language, ports),
  email: (channel, alert, id, ports) => deliverEmail(channel, alert, id, ports.language, ports),
  log: (_channel, alert, id, ports) => deliverLog(alert, id, ports.log),
};

/** Registers the deliverers of alerts in this process. Call it once. */
export function registerDeliverers(ports: DelivererPorts): void {
  for (const [type, deliver] of Object.entries(DELIVERERS)) {
    ports.andon.outbox.deliver<AlertMessage>(`${ALERT_KIND_PREFIX}${type}`, (message, context) =>
      deliverMessage(ports, deliver as Deliver<never>, message, context),
    );
  }
}

async function deliverMessage(
  ports: DelivererPorts,
  deliver: Deliver<never>,
  { id, destination, body }: Message<AlertMessage>,
  { signal }: HandlerContext,
): Promise<void> {
  const channel = ports.channels.find((known) => known.destination === destination);
  // Retryable: during a rollout of new settings, another process may have the channel.
  if (!channel) throw new Error(`the settings have no channel ${destination}`);
  const [row] = await ports.andon.store.query<AlertRow>(
    `select ${ALERT_COLUMNS} from server_alerts where id = $1`,
    [body.alertId],
  );
  if (!row) throw new Unretryable(`there is no alert ${body.alertId}`);
  const { language, own, links } = ports;
  const together = await togetherOf(ports.andon.store, row);
  const alert = sentAlert(row, body.status, { language, own, links, together });
  await deliver(channel as never, alert, id, { ...ports, signal });
}
