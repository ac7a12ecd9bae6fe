import type { HistoryPoint } from "../api/client.ts";
import type { Words } from "../i18n/en.ts";

/** A value of a point that can be drawn. */
export type Value = Exclude<keyof HistoryPoint, "at">;

export interface Curve {
  readonly value: Value;
  /** A colour of the style sheet. */
  readonly colour: string;
  /** Curves differ not only by colour: in a panel one is filled, one plain, one dashed. */
  readonly look: "filled" | "plain" | "dashed";
}

export interface ChartPanel {
  readonly name: keyof Words["history"]["panels"];
  readonly unit: "jobs" | "milliseconds";
  readonly curves: readonly Curve[];
}

export const CHART_PANELS: readonly ChartPanel[] = [
  {
    name: "throughput",
    unit: "jobs",
    curves: [
      { value: "done", colour: "run", look: "filled" },
      { value: "failed", colour: "stop", look: "plain" },
      { value: "added", colour: "hand", look: "dashed" },
    ],
  },
  {
    name: "backlog",
    unit: "jobs",
    curves: [
      { value: "waiting", colour: "warn", look: "filled" },
      { value: "running", colour: "run", look: "plain" },
    ],
  },
  {
    name: "wait",
    unit: "milliseconds",
    curves: [
      { value: "waitP50", colour: "hand", look: "plain" },
      { value: "waitP95", colour: "accent", look: "dashed" },
    ],
  },
  {
    name: "run",
    unit: "milliseconds",
    curves: [
      { value: "runP50", colour: "hand", look: "plain" },
      { value: "runP95", colour: "accent", look: "dashed" },
    ],
  },
];

/** Every value of a point, including the value without a curve. */
export const TABLE_VALUES: readonly Value[] = [
  "added",
  "done",
  "failed",
  "attemptsFailed",
  "waiting",
  "running",
  "waitP50",
  "waitP95",
  "runP50",
  "runP95",
];

export const isTime = (value: Value) => value.startsWith("waitP") || value.startsWith("runP");
