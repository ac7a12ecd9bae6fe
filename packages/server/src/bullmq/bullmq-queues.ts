import type { QueueConnection, QueueOperations } from "@andon/bullmq";
import type { Settings } from "../config/settings.ts";

/** The BullMQ queues, by name. Their libraries are loaded, and Redis is connected, on first use. */
export interface BullmqQueues {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Ends within about a second. Throws BULLMQ_UNAVAILABLE if Redis does not answer. */
  use<T>(name: string, call: (operations: QueueOperations) => Promise<T>): Promise<T>;
  /** For work over many jobs, which may take longer. */
  useLong<T>(name: string, call: (operations: QueueOperations) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openBullmqQueues({ bullmq, redisUrl }: Pick<Settings, "bullmq" | "redisUrl">): BullmqQueues {
  const connections = new Map<string, Promise<QueueConnection>>();
  const connection = (name: string) => {
    const known = connections.get(name);
    if (known) return known;
    const { redisUrl: own, prefix = "bull" } = bullmq.queues[name] ?? {};
    const opened = import("@andon/bullmq").then(
      (library) => new library.QueueConnection(name, { url: own ?? redisUrl ?? "", prefix }),
    );
    connections.set(name, opened);
    return opened;
  };
  return {
    names: Object.keys(bullmq.queues).sort(),
    has: (name) => Object.hasOwn(bullmq.queues, name),
    use: async (name, call) => (await connection(name)).use(call),
    useLong: async (name, call) => (await connection(name)).useLong(call),
    async close() {
      await Promise.all([...connections.values()].map(async (opened) => (await opened).close()));
      connections.clear();
    },
  };
}
