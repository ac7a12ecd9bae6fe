import type { HistoryStepName } from "@andon/contract";
import type { Search } from "../ui/address.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const STEP_MS: Record<HistoryStepName, number> = { "1m": MINUTE_MS, "1h": HOUR_MS };

/** The ranges of the buttons. A day can be drawn in minutes; a week is drawn in hours. */
export const PRESETS = {
  "1h": { length: HOUR_MS, step: "1m" },
  "24h": { length: DAY_MS, step: "1m" },
  "7d": { length: 7 * DAY_MS, step: "1h" },
} as const satisfies Record<string, { length: number; step: HistoryStepName }>;

export type PresetName = keyof typeof PRESETS;

export type HistoryRange =
  | { readonly kind: "preset"; readonly name: PresetName; readonly step: HistoryStepName }
  | { readonly kind: "drawn"; readonly from: number; readonly to: number; readonly step: HistoryStepName };

/** The range in an address; the last hour if it has none. */
export function rangeOf(search: Search): HistoryRange {
  const [from, to] = [Date.parse(search.from ?? ""), Date.parse(search.to ?? "")];
  if (from < to) return { kind: "drawn", from, to, step: to - from > DAY_MS ? "1h" : "1m" };
  const name = search.range && Object.hasOwn(PRESETS, search.range) ? (search.range as PresetName) : "1h";
  return { kind: "preset", name, step: PRESETS[name].step };
}

/** The times for the request. A preset ends at the time of the request. */
export function askedTimes(range: HistoryRange, now: number): { from: string; to?: string } {
  if (range.kind === "drawn") {
    return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
  }
  const { length, step } = PRESETS[range.name];
  return { from: new Date(now - length + STEP_MS[step]).toISOString() };
}

/** The address of a range drawn with the pointer, in whole steps; undefined if it is shorter than two steps. */
export function drawnRange(from: number, to: number, step: HistoryStepName): Search | undefined {
  const ms = STEP_MS[step];
  const [first, last] = [Math.floor(from / ms) * ms, Math.ceil(to / ms) * ms];
  if (last - first < 2 * ms) return undefined;
  return { range: undefined, from: new Date(first).toISOString(), to: new Date(last).toISOString() };
}
