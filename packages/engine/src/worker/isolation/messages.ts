import type { Arrival, Job } from "@andon/contract";
import type { AbortCause } from "../handler.ts";
import type { CarriedError } from "./carried-error.ts";

/**
 * The messages between the parent and a runner. They are JSON only, so that a thread and a process receive the same.
 * Values of the handler are sent as text that is made on their own side, so that an invalid value throws there. A
 * runner has one job at a time and messages keep their order, so no message names its job.
 */
export type ToRunner =
  | { kind: "run"; job: Job; attempt: number; arrivals: Readonly<Record<string, Arrival>> }
  | { kind: "abort"; cause: AbortCause }
  | { kind: "saved"; call: number }
  | { kind: "refused"; call: number; error: CarriedError };

export type FromRunner =
  | { kind: "progress"; value: string | null }
  | { kind: "checkpoint"; call: number; cursor: string }
  | { kind: "done"; result: string | null }
  /** `isSpent`: the module did not load. Node caches that, so only another runner can try again. */
  | { kind: "threw"; error: CarriedError; isSpent: boolean }
  /** The uncaught error of a process that is about to end. */
  | { kind: "dying"; error: CarriedError };

const KINDS: Record<FromRunner["kind"], true> = {
  progress: true,
  checkpoint: true,
  done: true,
  threw: true,
  dying: true,
};

/** The handler's module has the same channel to the parent, and may send other messages on it. */
export function isFromRunner(message: unknown): message is FromRunner {
  if (typeof message !== "object" || message === null) return false;
  const { kind } = message as { kind?: unknown };
  return typeof kind === "string" && Object.hasOwn(KINDS, kind);
}
