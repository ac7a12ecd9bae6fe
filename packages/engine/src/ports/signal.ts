/** Signals between processes and inside one. Delivery is best effort: every receiver also polls. */
export type Signal =
  | { kind: "any" }
  | { kind: "timer" }
  | { kind: "schedule" }
  /**
   * `opened`: the queue was stopped before. While it is stopped, added jobs do not wake workers that know of the stop.
   */
  | { kind: "work"; queue: string; opened?: true }
  /** A worker at rest has work again: the housekeeper must observe its beats from now on. */
  | { kind: "busy" }
  /**
   * There is a request about a job of this worker. `aborts`: the claim to be aborted; otherwise the worker's beat reads
   * the request.
   */
  | { kind: "cancel"; worker: string; aborts?: { pos: number; fence: number } }
  | { kind: "operation" }
  | { kind: "feed" };
