/** Called between small steps of long work: reports progress, and throws when the work must stop. */
export interface StepGuard {
  (): void;
  /** For a step that can hang, and that must not do late what another run has done meanwhile. */
  readonly signal: AbortSignal;
}
