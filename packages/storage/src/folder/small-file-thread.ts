import { parentPort } from "node:worker_threads";
import { carryOut, type Order } from "./small-file-steps.ts";
import type { Batch } from "./waiting-thread.ts";

// What runs in a thread of a `SmallFileThreads`: the orders of one message after those of the other.
parentPort?.on("message", ({ orders, calledOff }: Batch<Order>) => {
  const answers = carryOut(orders, (order) => Atomics.load(calledOff, order) !== 0);
  const bytes = answers.filter((answer) => answer instanceof Uint8Array);
  parentPort?.postMessage(
    answers,
    bytes.map(({ buffer }) => buffer as ArrayBuffer),
  );
});
