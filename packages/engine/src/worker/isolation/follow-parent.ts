import { Worker } from "node:worker_threads";

/** The pipe of `process.ts` that closes with the parent. */
const PARENT_PIPE = 4;

const WATCHDOG = `
  const { Socket } = require("node:net");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: ${PARENT_PIPE} }).on("error", end).on("close", end).resume();
`;

/** Ends a runner's process with its parent; `lastWords` receives an uncaught error that ends the process. */
export function followParent(lastWords: (error: unknown) => void): void {
  process.on("disconnect", () => process.exit());
  // A blocked event loop gets no disconnect event, so a thread listens as well. It loads no modules.
  new Worker(WATCHDOG, { eval: true, execArgv: [], env: {} }).unref();
  // A terminal and a service manager signal whole process groups; the parent decides when running jobs end at shutdown.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("uncaughtExceptionMonitor", lastWords);
}
