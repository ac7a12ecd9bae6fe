import { Worker } from "node:worker_threads";

/** The pipe of `extract-process.ts` that closes with the parent. */
const PARENT_PIPE = 4;

const WATCHDOG = `
  const { Socket } = require("node:net");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: ${PARENT_PIPE} }).on("error", end).on("close", end).resume();
`;

/** Ties the life of this process to its parent's. */
export function followParent(): void {
  process.on("disconnect", () => process.exit());
  // A parser that loops hears no disconnect, so a thread listens as well.
  new Worker(WATCHDOG, { eval: true, execArgv: [], env: {} }).unref();
  // A terminal signals whole groups; the parent decides when running work ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
}
