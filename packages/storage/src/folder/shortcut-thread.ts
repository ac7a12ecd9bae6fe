import { parentPort } from "node:worker_threads";
import { carryOut, type Order } from "./shortcut-steps.ts";

// What runs in a thread of a `Shortcut`: one order after the other.
parentPort?.on("message", (order: Order) => {
  const answer = carryOut(order);
  parentPort?.postMessage(answer, answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []);
});
