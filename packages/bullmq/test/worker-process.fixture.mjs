// A process that works a queue with the guard. Arguments: address of Redis, queue, concurrency. A job's data decide what it does:
// `fail` throws, `hang` never ends, anything else is done at once.
import { guard } from "@andon/bullmq";
import { Worker } from "bullmq";

const [url = "", queue = "", places = "1"] = process.argv.slice(2);

const worker = new Worker(
  queue,
  async (job) => {
    if (job.data.hang) {
      console.log(`hanging ${job.id}`);
      await new Promise(() => {});
    }
    if (job.data.fail) throw new Error(`ECONNREFUSED: ${job.id}`);
  },
  {
    connection: { url },
    concurrency: Number(places),
    lockDuration: 500,
    stalledInterval: 200,
    maxStalledCount: 0,
    drainDelay: 1,
    removeOnComplete: { count: 0 },
  },
);
guard(worker, {
  reason: "NAS_SYNC_FAILED",
  onStop: ({ failedJobId }) => console.log(`stopped by ${failedJobId}`),
});
await worker.waitUntilReady();
console.log("ready");
process.on("SIGTERM", () => void worker.close().then(() => process.exit(0)));
