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

/**
 * The phase enforces its own timeout. The engine's limit is this much longer and applies only to a phase that does not end.
 */
const BACKSTOP_MS = 30_000;

/** The phases from the settings. An unknown executor prevents the start. */
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

/** The rules of the queue: one attempt per phase, and a failure blocks no other task. */
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
