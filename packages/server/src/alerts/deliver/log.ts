import type { Logger } from "pino";
import type { SentAlert } from "./sent-alert.ts";

/** One line per alert. */
export function deliverLog(alert: SentAlert, deliveryId: string, log: Logger): void {
  const { title, ...facts } = alert;
  log[alert.severity === "CRITICAL" ? "error" : "warn"]({ alert: facts, delivery: deliveryId }, title);
}
