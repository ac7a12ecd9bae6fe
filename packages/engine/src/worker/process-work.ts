import type { Execution } from "./execution.ts";

/** A suspect that is at work, or starts as soon as it may. */
interface AdmittedSuspect {
  readonly execution: Execution;
  /** No loop of the process claims until it has ended. */
  readonly isAlone: boolean;
  readonly start: () => void;
  hasStarted: boolean;
}

/** The work of one process, over all its loops: when the process dies, the jobs of all of them are lost. */
export class ProcessWork {
  /** Handlers at work, and places that claims under way may fill. */
  busy = 0;
  /** Suspects at work: see suspects.ts. */
  readonly suspects = new Set<Execution>();
  /** Suspects whose claims are being given back: a crash now would count against them, though they have not started. */
  puttingOff = 0;
  admitted: AdmittedSuspect | undefined;

  /** Whether no loop may claim, because one job has to run alone. */
  get isReserved(): boolean {
    return this.admitted?.isAlone === true;
  }

  startAdmitted(): void {
    const { admitted } = this;
    if (!admitted || admitted.hasStarted || this.puttingOff > 0 || (admitted.isAlone && this.busy > 0))
      return;
    admitted.hasStarted = true;
    admitted.start();
  }
}
