import { Worker } from "node:worker_threads";

/** The pipe of `process.ts` that closes with the parent. */
const PARENT_PIPE = 4;

const WATCHDOG = `
  const { Socket } = require("node:net");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: ${PARENT_PIPE} }).on("error", end).on("close", end).resume();
`;

/** Ties the life of a runner's process to its parent's; `lastWords` gets the error that ends it by itself. */
export function followParent(lastWords: (error: unknown) => void): void {
  process.on("disconnect", () => process.exit());
  // A loop that is blocked hears no disconnect, so a thread listens as well. It is given nothing to load.
  new Worker(WATCHDOG, { eval: true, execArgv: [], env: {} }).unref();
  // A terminal and a service manager signal whole groups; when running jobs end at shutdown is the parent's to say.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("uncaughtExceptionMonitor", lastWords);
}
