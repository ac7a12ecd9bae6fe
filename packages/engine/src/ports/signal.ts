/** Signals between processes and inside one. Delivery is best effort: whoever waits also looks now and then. */
export type Signal =
  | { kind: "any" }
  | { kind: "timer" }
  | { kind: "schedule" }
  | { kind: "work"; queue: string }
  | { kind: "cancel"; worker: string }
  | { kind: "operation" }
  | { kind: "feed" };
