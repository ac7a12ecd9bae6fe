import type { HistoryStepName } from "@andon/contract";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** A step of the history as the store knows it: `m` a minute, `h` an hour. */
export type StoredStep = "m" | "h";

export const HISTORY_STEPS: Readonly<
  Record<HistoryStepName, { readonly stored: StoredStep; readonly ms: number }>
> = {
  "1m": { stored: "m", ms: MINUTE_MS },
  "1h": { stored: "h", ms: HOUR_MS },
};

/** The start of the step that contains a time. */
export function stepOf(at: number, ms: number): number {
  return Math.floor(at / ms) * ms;
}
