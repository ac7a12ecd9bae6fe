import type { QueueRulesInput } from "@andon/contract";

export interface BuiltInQueue {
  readonly rules: QueueRulesInput;
  /** Rules that `mode: "serial"` adds. */
  readonly serial: QueueRulesInput;
  /** What the alert of a failed job is called. */
  readonly heldAlert: string;
}

/** Queues that every site has, whatever its configuration and apps bring, and what is preset for them. */
export const BUILT_IN_QUEUES: Readonly<Record<string, BuiltInQueue>> = {
  "nas-sync": {
    // A large upload that moves does not time out.
    rules: { stopReason: "NAS_SYNC_FAILED", timeoutFrom: "progress" },
    serial: { lease: "60s", sweep: "30s" },
    heldAlert: "FILE_SYNC_FAILED",
  },
};
