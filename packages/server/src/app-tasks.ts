import type { AppSite } from "@andon/app";
import type { Role } from "./config/roles.ts";
import type { Site } from "./site.ts";

const START_AGAIN_MS = 5_000;

/** Starts the apps' tasks for a process of this role. Closing waits until each task has ended. */
export function startTasks(
  { apps, log }: Pick<Site, "apps" | "log">,
  forApps: AppSite,
  role: Role,
): { close(): Promise<void> }[] {
  const tasks = apps.flatMap(({ name, tasks = [] }) => tasks.map((task) => ({ name, ...task })));
  return tasks
    .filter((task) => task.role === role)
    .map(({ name, run }) => {
      const stop = new AbortController();
      const running = keepRunning(
        stop.signal,
        () => run(forApps, stop.signal),
        (err) => log.error({ err, app: name }, "a task of an app failed; it starts again in 5 s"),
      );
      return {
        async close() {
          stop.abort();
          await running;
        },
      };
    });
}

/** Restarts a task that fails or ends by itself: what it depends on may be back. */
async function keepRunning(
  signal: AbortSignal,
  run: () => Promise<void>,
  tell: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await run().catch((error: unknown) => {
      if (!signal.aborted) tell(error);
    });
    await pause(START_AGAIN_MS, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
