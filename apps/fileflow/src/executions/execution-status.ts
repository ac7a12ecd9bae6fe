/** Codes of time-outs: the engine's, and that of an extraction program. */
const TIMEOUTS = ["TIMEOUT", "EXTRACT_TIMEOUT"];

export function isTimeout(code: string): boolean {
  return TIMEOUTS.includes(code);
}

/** The display name of a stage: the engine's name without its pipeline. */
export function shownStage(stage: string | null): string | null {
  return stage === null ? null : (stage.split(":").at(-1) ?? stage);
}
