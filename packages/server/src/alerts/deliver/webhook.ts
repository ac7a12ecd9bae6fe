import { type PostPorts, postSafely, signatures } from "@andon/app";
import type { Alert } from "../alert-row.ts";
import type { ChannelOf } from "../channels.ts";
import type { SentAlert } from "./sent-alert.ts";

/** Posts the alert as JSON with the current state of its deliveries, signed over the sent bytes. */
export function deliverWebhook(
  { settings }: ChannelOf<"webhook">,
  alert: SentAlert & Pick<Alert, "deliveries">,
  deliveryId: string,
  ports: PostPorts,
): Promise<void> {
  const body = JSON.stringify(alert);
  const { url, secret } = settings;
  const headers = {
    "x-andon-delivery": deliveryId,
    ...(secret ? signatures(body, secret, Math.floor(Date.now() / 1_000)) : {}),
  };
  return postSafely({ url, body, headers }, ports);
}
