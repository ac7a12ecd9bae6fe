/** A configuration for the tests of processes: an app with a route that adds jobs, and queues whose jobs never end. */
import { appendFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";

interface Added {
  queue(name: string): { add(payload: unknown, options: { traceId: string }): Promise<{ id: string }> };
}

const nothing = z.strictObject({});
const ledger: string = process.env.WORK_LEDGER ?? "/dev/null";

export default {
  shutdownGrace: process.env.WORK_GRACE ?? "20s",
  apps: [
    {
      name: "load",
      queues: () => ({
        load: {
          handler: async ({ id }: { id: string }) => {
            await sleep(10);
            appendFileSync(ledger, `${id} ${process.pid}\n`);
          },
        },
      }),
      routes: {
        load: {
          add: {
            method: "POST",
            path: "/load/:queue",
            access: "queue.operate",
            reach: "own",
            summary: "Adds a job.",
            params: z.strictObject({ queue: z.string() }),
            query: nothing,
            answer: z.strictObject({ id: z.string() }),
          },
        },
      },
      serve: (site: Added) => ({
        load: {
          add: async ({ params, traceId }: { params: { queue: string }; traceId: string }) => {
            const { id } = await site.queue(params.queue).add({}, { traceId });
            return { id };
          },
        },
      }),
    },
  ],
  queues: {
    // Opening a pipe without a writer never returns, like a call to a share that hangs.
    hung: { timeout: 0, handler: () => open(process.env.WORK_PIPE ?? "") },
    stuck: { timeout: 0, lease: "3s", sweep: "1s", handler: () => new Promise(() => {}) },
  },
};
