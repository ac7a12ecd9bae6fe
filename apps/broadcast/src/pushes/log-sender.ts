import type { AppLog } from "@andon/app";
import type { PushSender } from "./push-sender.ts";

/** Logs what it would send. Used if the settings name no receiver. */
export function logSender(log: AppLog): PushSender {
  return {
    async send({ jobId, category, recipients }) {
      log.info({ job: jobId, category, pushes: recipients }, "pushes sent");
    },
  };
}
