import { AndonError, type QueueRulesInput } from "@andon/contract";
import type { StudioSettings } from "../contract/settings.ts";

/** A phase as the settings describe it. */
export interface Phase {
  readonly name: string;
  readonly executor: string;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The phase ends its work itself when its time is over; the engine's own limit is for one that does not come to its end. */
const BACKSTOP_MS = 30_000;

/** The phases of the settings. One whose executor is not known stops the start. */
export function phasesOf(settings: StudioSettings, executors: readonly string[]): Phase[] {
  const phases = settings.phases.map((given) => {
    const { name, executor, concurrency, timeout } =
      typeof given === "string"
        ? { name: given, executor: undefined, concurrency: 1, timeout: undefined }
        : given;
    return { name, executor: executor ?? name, concurrency, timeout: timeout ?? settings.phaseTimeout };
  });
  const unknown = phases.find(({ executor }) => !executors.includes(executor));
  if (unknown)
    throw new AndonError("INVALID_OPTION", {
      where: "studio",
      option: "phases",
      given: JSON.stringify(unknown.executor),
      allowed: executors.join(", "),
    });
  return phases;
}

/** The rules of the queue: one attempt per phase, and a failure that stops nothing else. */
export function rulesOf(phases: readonly Phase[], keep: number): QueueRulesInput {
  const longest = Math.max(...phases.map(({ timeout }) => timeout));
  return {
    attempts: 1,
    timeout: longest + BACKSTOP_MS,
    onFinalFailure: "hold-lane",
    probe: false,
    keep: { done: keep, ended: keep },
    stages: phases.map(({ name, concurrency, timeout }) => ({
      name,
      concurrency,
      timeout: timeout + BACKSTOP_MS,
    })),
  };
}
