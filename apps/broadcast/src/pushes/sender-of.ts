import type { AppLog } from "@andon/app";
import type { BroadcastSettings } from "../contract/settings.ts";
import { logSender } from "./log-sender.ts";
import type { PushSender } from "./push-sender.ts";
import { webhookSender } from "./webhook-sender.ts";

/** The sender that the settings select. */
export function senderOf(
  { url, secret, allowPrivateTargets }: BroadcastSettings["push"],
  log: AppLog,
): PushSender {
  return url === undefined ? logSender(log) : webhookSender({ url, secret, allowPrivateTargets });
}
