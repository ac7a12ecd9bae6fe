import type { Readable, Writable } from "node:stream";

/** What the command uses of its process. */
export interface Shell {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number | undefined;
    readonly rows?: number | undefined;
  };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number | undefined };
  /** Aborts on Ctrl-C or another termination signal. After a call, such a signal does not end the process: the caller must stop. */
  interruption(): AbortSignal;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The shell of this process. The first Ctrl-C aborts the interruption signal, the second ends the process. */
export function shellOf(host: NodeJS.Process): Shell {
  const interrupted = new AbortController();
  let isHeard = false;
  // A reader such as `head` may close the pipe early; that is no failure.
  host.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") host.exit(0);
    throw error;
  });
  return {
    env: host.env,
    folder: host.cwd(),
    stdin: host.stdin,
    stdout: host.stdout,
    stderr: host.stderr,
    interruption() {
      for (const signal of isHeard ? [] : SIGNALS) {
        host.on(signal, () => {
          if (interrupted.signal.aborted) host.exit(130);
          interrupted.abort(new Interrupted());
        });
      }
      isHeard = true;
      return interrupted.signal;
    },
  };
}

export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
