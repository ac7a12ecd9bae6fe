/** Called between small steps of long work: says that it goes on, and throws where it must not. */
export interface Pace {
  (): void;
  /** For a step that could hang and then do late what another run has done meanwhile. */
  readonly signal: AbortSignal;
}
