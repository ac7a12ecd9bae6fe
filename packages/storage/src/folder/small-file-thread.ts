import { parentPort } from "node:worker_threads";
import { carryOut, type Order } from "./small-file-steps.ts";
import type { Batch } from "./waiting-thread.ts";

// The main module of a thread of `SmallFileThreads`. It carries out one batch after another.
parentPort?.on("message", ({ orders, calledOff }: Batch<Order>) => {
  const answers = carryOut(orders, (order) => Atomics.load(calledOff, order) !== 0);
  const bytes = answers.filter((answer) => answer instanceof Uint8Array);
  parentPort?.postMessage(
    answers,
    bytes.map(({ buffer }) => buffer as ArrayBuffer),
  );
});
