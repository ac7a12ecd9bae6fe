import type { AppLog } from "@andon/app";
import type { PushSender } from "./push-sender.ts";

/** Tells the log what would be sent: nobody has named a receiver. */
export function logSender(log: AppLog): PushSender {
  return {
    async send({ jobId, category, recipients }) {
      log.info({ job: jobId, category, pushes: recipients }, "pushes sent");
    },
  };
}
