import type { Arrival } from "@andon/contract";
import { AndonError } from "@andon/contract/plain";
import { jsonText } from "../../json-text.ts";
import { Park, type ParkOptions, Unretryable } from "../../lifecycle/thrown.ts";
import { JobAborted } from "../handler.ts";
import { uncarry } from "./carried-error.ts";
import type { IsolatedContext } from "./isolated-handler.ts";
import type { FromRunner, ToRunner } from "./messages.ts";

/** Not retryable: the handler was written for the process that has the store. */
export class CannotCross extends Unretryable {
  readonly code = "ISOLATED_WRITES";
  constructor(what: string) {
    super(
      `an isolated handler cannot ${what}: a transaction stays in the process that opened the store. ` +
        "Return what is to be written and write it there, or work this queue without `isolate`.",
    );
  }
}

/** The context of one job inside a runner; the parent carries out its calls. */
export class RemoteContext implements IsolatedContext {
  readonly attempt: number;
  readonly arrivals: Readonly<Record<string, Arrival>>;
  readonly #jobId: string;
  readonly #send: (message: FromRunner) => void;
  readonly #abort = new AbortController();
  readonly #calls = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  #nextCall = 1;
  #isOver = false;

  constructor(
    jobId: string,
    attempt: number,
    arrivals: Readonly<Record<string, Arrival>>,
    send: (message: FromRunner) => void,
  ) {
    this.#jobId = jobId;
    this.attempt = attempt;
    this.arrivals = arrivals;
    this.#send = send;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  // Handlers destructure the context, so these are bound.
  progress = (value?: unknown): void => {
    if (this.#isOver) return;
    this.#send({ kind: "progress", value: value === undefined ? null : jsonText("progress", value) });
  };

  checkpoint = async (cursor: unknown, writes?: unknown): Promise<void> => {
    if (writes !== undefined) throw new CannotCross("write in checkpoint(cursor, …)");
    if (this.#isOver) throw this.#lost();
    const call = this.#nextCall++;
    const text = jsonText("cursor", cursor ?? null);
    await new Promise<void>((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
      this.#send({ kind: "checkpoint", call, cursor: text });
    });
  };

  park = (event: string, options?: ParkOptions): never => {
    throw new Park(event, options);
  };

  arrival = (event: string): Arrival | undefined =>
    Object.hasOwn(this.arrivals, event) ? this.arrivals[event] : undefined;

  receive(message: Exclude<ToRunner, { kind: "run" }>): void {
    if (message.kind === "abort") {
      this.#abort.abort(new JobAborted(message.cause));
      return;
    }
    const call = this.#calls.get(message.call);
    this.#calls.delete(message.call);
    if (message.kind === "saved") call?.resolve();
    else call?.reject(uncarry(message.error));
  }

  /** From now on, work that the handler left running can send nothing for its job, nor for the next one. */
  end(): void {
    this.#isOver = true;
    for (const call of this.#calls.values()) call.reject(this.#lost());
    this.#calls.clear();
  }

  #lost(): AndonError {
    return new AndonError("CLAIM_LOST", { job: this.#jobId });
  }
}
