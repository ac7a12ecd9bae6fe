import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Connection } from "./connection.ts";

/*
 * Requests `/healthz` at a fixed interval and records the duration of each answer. It runs in its own thread, so that delays
 * of the busy attacker do not count. Run as a thread, this file is the probe; imported, it starts one.
 */

const EVERY_MS = 5;

export interface HealthProbe {
  /** Milliseconds of the answers since the start or the last call. */
  taken(): Promise<number[]>;
  stop(): Promise<void>;
}

export async function startHealthProbe(url: string): Promise<HealthProbe> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { url } });
  const next = () => new Promise<number[]>((resolve) => worker.once("message", resolve));
  await next();
  return {
    taken: () => {
      worker.postMessage("taken");
      return next();
    },
    stop: async () => void (await worker.terminate()),
  };
}

async function probe(url: string): Promise<void> {
  const connection = await Connection.open(url);
  const request = connection.encode({ method: "GET", path: "/healthz" });
  let taken: number[] = [];
  parentPort?.on("message", () => {
    parentPort?.postMessage(taken);
    taken = [];
  });
  parentPort?.postMessage([]);
  for (;;) {
    const before = performance.now();
    await connection.send(request);
    taken.push(performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

if (!isMainThread && workerData?.url) await probe((workerData as { url: string }).url);
