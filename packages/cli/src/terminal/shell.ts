import type { Readable, Writable } from "node:stream";

/** What the command gets of the world around it. */
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
  /** Aborts when a person presses Ctrl-C, or the process is told to end. Whoever calls it is the one who stops for it. */
  interruption(): AbortSignal;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The shell of this process. The first Ctrl-C asks, the second one ends it. */
export function shellOf(host: NodeJS.Process): Shell {
  const interrupted = new AbortController();
  let isHeard = false;
  // A reader such as `head` that has seen enough is no failure.
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
