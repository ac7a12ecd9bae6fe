/** Signals between processes and inside one. Delivery is best effort: whoever waits also looks now and then. */
export type Signal =
  | { kind: "any" }
  | { kind: "timer" }
  | { kind: "schedule" }
  | { kind: "work"; queue: string }
  /** A worker that had nothing at work has something: whoever keeps house is to watch over it. */
  | { kind: "busy" }
  | { kind: "cancel"; worker: string }
  | { kind: "operation" }
  | { kind: "feed" };
