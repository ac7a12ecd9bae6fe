import { createHmac } from "node:crypto";
import type { Alert } from "../alert-row.ts";
import type { ChannelOf } from "../channels.ts";
import { type PostPorts, post } from "./post.ts";
import type { SentAlert } from "./sent-alert.ts";

/** Posts the alert as JSON with how its deliveries stand by now, signed over the bytes that are sent. */
export function deliverWebhook(
  { settings }: ChannelOf<"webhook">,
  alert: SentAlert & Pick<Alert, "deliveries">,
  deliveryId: string,
  ports: PostPorts,
): Promise<void> {
  const body = JSON.stringify(alert);
  const { url, secret } = settings;
  const signature = secret && `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = {
    "x-andon-delivery": deliveryId,
    ...(signature ? { "x-andon-signature": signature } : {}),
  };
  return post({ url, body, headers }, ports);
}
