import { AndonError, type Job } from "@andon/contract";
import type { Handler } from "../handler.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

export interface IsolatedWork {
  /** An ordinary handler, as far as the loop can see. */
  readonly handler: Handler<never>;
  /** Ends every runner, and resolves when they are gone. */
  close(): Promise<void>;
}

/**
 * Makes a handler of a module that runs in threads or processes. Runners are started when a job needs one and kept for
 * the next. The loop never has more jobs at work than it has places, so there are never more runners at work either;
 * one that is being ended is no longer counted, since a job should not wait (and time out) for a thread that hangs in
 * native code.
 */
export function isolate(options: RunnerOptions): IsolatedWork {
  const runners = new Set<Runner>();
  // Last in, first out: little work stays on runners that are warm.
  const idle: Runner[] = [];
  let isClosed = false;

  function take(): Runner {
    if (isClosed) throw new AndonError("CLOSED");
    for (let runner = idle.pop(); runner; runner = idle.pop()) if (runner.isUsable) return runner;
    const runner = new Runner(options);
    runners.add(runner);
    void runner.gone.then(() => runners.delete(runner));
    return runner;
  }

  function giveBack(runner: Runner): void {
    if (runner.isUsable) idle.push(runner);
  }

  return {
    handler: async (job: Job<never>, context) => {
      const runner = take();
      try {
        return await runner.run(job, context);
      } finally {
        giveBack(runner);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...runners].map((runner) => runner.end()));
    },
  };
}
