import type { Job } from "@andon/contract";
import type { Clock } from "../../ports/clock.ts";
import type { HandlerContext, JobAborted } from "../handler.ts";
import { carry, uncarry } from "./carried-error.ts";
import { HandlerCrashed } from "./handler-crashed.ts";
import type { FromRunner } from "./messages.ts";
import { startProcess } from "./process.ts";
import type { Death, IsolationKind, RunnerChannel, RunnerSpec, StartRunner } from "./runner-channel.ts";
import { startThread } from "./thread.ts";

export interface RunnerOptions extends RunnerSpec {
  readonly kind: IsolationKind;
  readonly clock: Clock;
  /** How long an aborted job may take to settle before its runner is ended, in milliseconds. */
  readonly settleGrace: number;
  /** Called for a runner that ended by itself while it had no job. */
  readonly onError: (error: unknown) => void;
}

interface Task {
  readonly context: HandlerContext;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const START: Record<IsolationKind, StartRunner> = { thread: startThread, process: startProcess };

/** One thread or process, as its parent sees it. It runs one job at a time, until it is ended or ends by itself. */
export class Runner {
  readonly gone: Promise<void>;
  readonly #options: RunnerOptions;
  readonly #channel: RunnerChannel;
  #task: Task | undefined;
  #state: "usable" | "ending" | "gone" = "usable";

  constructor(options: RunnerOptions) {
    this.#options = options;
    let onGone = () => {};
    this.gone = new Promise((resolve) => {
      onGone = resolve;
    });
    this.#channel = START[options.kind](options, {
      receive: (message) => this.#receive(message),
      gone: (death) => {
        this.#end(death);
        onGone();
      },
    });
  }

  get isUsable(): boolean {
    return this.#state === "usable";
  }

  async run(job: Job, context: HandlerContext): Promise<unknown> {
    const { signal } = context;
    const { clock, settleGrace } = this.#options;
    let stopGrace = () => {};
    // A blocked event loop does not receive this, and a handler may ignore it, so the wait is limited.
    const onAbort = () => {
      this.#channel.send({ kind: "abort", cause: (signal.reason as JobAborted).cause });
      stopGrace = clock.after(settleGrace, () => void this.end());
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#task = { context, resolve, reject };
        this.#channel.send({ kind: "run", job, attempt: context.attempt, arrivals: context.arrivals });
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort, { once: true });
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
      stopGrace();
    }
  }

  /** Ends it at once, and resolves when it is gone. */
  end(): Promise<void> {
    if (this.#state === "usable") {
      this.#state = "ending";
      this.#channel.kill();
    }
    return this.gone;
  }

  #receive(message: FromRunner): void {
    const task = this.#task;
    if (!task) return;
    try {
      this.#apply(task, message);
    } catch (error) {
      // Not a message of the runner's own code: the handler's module has sent it, and may still be at work.
      this.#task = undefined;
      void this.end();
      task.reject(error);
    }
  }

  #apply(task: Task, message: FromRunner): void {
    switch (message.kind) {
      case "progress":
        task.context.progress(message.value === null ? undefined : JSON.parse(message.value));
        break;
      case "checkpoint":
        void this.#checkpoint(task, message.call, JSON.parse(message.cursor));
        break;
      case "done":
        this.#task = undefined;
        task.resolve(message.result === null ? null : JSON.parse(message.result));
        break;
      case "threw":
        this.#task = undefined;
        if (message.isSpent) void this.end();
        task.reject(uncarry(message.error));
    }
  }

  async #checkpoint(task: Task, call: number, cursor: unknown): Promise<void> {
    try {
      await task.context.checkpoint(cursor);
      this.#channel.send({ kind: "saved", call });
    } catch (error) {
      this.#channel.send({ kind: "refused", call, error: carry(error) });
    }
  }

  #end(death: Death): void {
    const wasEnded = this.#state === "ending";
    this.#state = "gone";
    const task = this.#task;
    this.#task = undefined;
    const crash = new HandlerCrashed(this.#options.kind, death);
    if (task) task.reject(wasEnded ? (task.context.signal.reason ?? crash) : crash);
    else if (!wasEnded) this.#options.onError(crash);
  }
}
