import { join } from "node:path";
import type { BenchJob, Contender, ContenderKind, Mode } from "../contender.ts";
import { better, Database, defineQueue, defineWorker, JobStatus } from "../peers/plainjob.ts";

const BULK = 5_000;
const MODES: Mode[] = ["drain", "serial", "add", "latency"];
const logger = { error() {}, warn() {}, info() {}, debug() {} };

/** It runs one job at a time and has neither retries nor keys. It sets `synchronous` to NORMAL itself. */
export default {
  name: "plainjob",
  role: "peer",
  store: "sqlite",
  package: "plainjob",
  recovery: { seconds: 30 * 60, because: "timeout is 30 minutes" },
  variants: (mode) => (MODES.includes(mode) ? ["NORMAL"] : []),

  async open(place): Promise<Contender> {
    const connection = better(new Database(join(place.folder, "plainjob.db")));
    const queue = defineQueue({ connection, logger, maintenanceInterval: 3_600_000 });
    const type = place.queue;
    const pollIntervall = 1;

    return {
      settings: { synchronous: "NORMAL", journal: "WAL", bulkAdd: BULK, pollIntervall },
      async addBulk(jobs) {
        for (let from = 0; from < jobs.length; from += BULK)
          queue.addMany(type, jobs.slice(from, from + BULK));
      },
      async addOne(job) {
        queue.add(type, job);
      },
      async work(_options, handler) {
        const processor = (job: { data: string }) => handler(JSON.parse(job.data) as BenchJob);
        const worker = defineWorker(type, processor, { queue, logger, pollIntervall });
        const ended = worker.start();
        return {
          async stop() {
            await worker.stop();
            await ended;
          },
        };
      },
      async unfinished() {
        const inState = (status: JobStatus) => queue.countJobs({ type, status });
        return inState(JobStatus.Pending) + inState(JobStatus.Processing);
      },
      async close() {
        queue.close();
      },
    };
  },
} satisfies ContenderKind;
