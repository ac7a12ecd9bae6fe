import type { Death, IsolationKind } from "./runner-channel.ts";

/** The runner of a job ended by itself: an exit, an uncaught error, no memory left, a signal from outside. */
export class HandlerCrashed extends Error {
  override readonly name = "HandlerCrashed";
  readonly code = "HANDLER_CRASHED";
  readonly exitCode: number | null;
  readonly signal: string | null;

  constructor(kind: IsolationKind, { exitCode, signal, error }: Death) {
    const how = signal ?? (exitCode === null ? "it did not start" : `exit code ${exitCode}`);
    const why = error ? `: ${error.name}: ${error.message}` : "";
    super(`the handler's ${kind} ended by itself (${how})${why}`);
    this.exitCode = exitCode;
    this.signal = signal;
    // The stack of this error would only show the listener of the exit.
    this.stack = error?.stack ?? this.message;
  }
}
