/** Signals between processes and inside one. Delivery is best effort: whoever waits also looks now and then. */
export type Signal =
  | { kind: "any" }
  | { kind: "timer" }
  | { kind: "schedule" }
  | { kind: "work"; queue: string }
  /** A worker that had nothing at work has something: the housekeeper is to watch over it. */
  | { kind: "busy" }
  /** Somebody wants something of what this worker runs. `aborts`: just this claim is to be aborted; else its beat reads what it is. */
  | { kind: "cancel"; worker: string; aborts?: { pos: number; fence: number } }
  | { kind: "operation" }
  | { kind: "feed" };
