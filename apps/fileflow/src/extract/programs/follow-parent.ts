import { Worker } from "node:worker_threads";

/** The pipe of `extract-process.ts` that closes with the parent. */
const PARENT_PIPE = 4;

const WATCHDOG = `
  const { Socket } = require("node:net");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: ${PARENT_PIPE} }).on("error", end).on("close", end).resume();
`;

/** Ends this process when its parent ends. */
export function followParent(): void {
  process.on("disconnect", () => process.exit());
  // A parser in an endless loop blocks the event loop, so a thread watches as well.
  new Worker(WATCHDOG, { eval: true, execArgv: [], env: {} }).unref();
  // A terminal signals the whole process group, but the parent decides when running work ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
}
