import type { Arrival, Job } from "@andon/contract";
import type { AbortCause } from "../handler.ts";
import type { CarriedError } from "./carried-error.ts";

/**
 * What the parent and a runner say to each other. It is JSON alone, so that a thread and a process hear the same; values
 * of the handler go as text, made on the side where they are bad, so that the error is thrown there.
 * A runner has one job at a time and messages keep their order, so none of them names its job.
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
  /** `isSpent`: the module did not load. Node remembers that, so only another runner can try again. */
  | { kind: "threw"; error: CarriedError; isSpent: boolean }
  /** The last words of a process that nothing can save. */
  | { kind: "dying"; error: CarriedError };

const KINDS: Record<FromRunner["kind"], true> = {
  progress: true,
  checkpoint: true,
  done: true,
  threw: true,
  dying: true,
};

/** The handler's module has the same line to its parent, and may say there what it likes. */
export function isFromRunner(message: unknown): message is FromRunner {
  if (typeof message !== "object" || message === null) return false;
  const { kind } = message as { kind?: unknown };
  return typeof kind === "string" && Object.hasOwn(KINDS, kind);
}
