import { guard } from "@andon/bullmq";
import { Queue, Worker } from "bullmq";

/** A BullMQ queue with a guarded worker, as in a team's own process. Jobs with `fail` in their payload fail. */
export function workedQueue(name: string, url: string) {
  const connection = { url };
  const queue = new Queue(name, { connection });
  const worker = new Worker(
    name,
    async (job) => {
      if (job.data.payload?.fail) throw new Error("ECONNREFUSED: NAS connection refused");
    },
    { connection, drainDelay: 1 },
  );
  queue.on("error", () => {});
  worker.on("error", () => {});
  guard(worker, { reason: "MAIL_FAILED" });
  return {
    queue,
    add: (jobId: string, payload: object = {}) =>
      queue.add("send", { syncEventId: `event-${jobId}`, payload }, { jobId }),
    async close() {
      await worker.close(true);
      await queue.close();
    },
  };
}
