import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../http/connection.ts";

interface Status {
  isPaused: boolean;
  waiting: number;
  active: number;
  failed: number;
  completed: number;
  delayed: number;
}

const LOOK_MS = 10;

/** Resolves when the server reports that this many files have reached the NAS; throws if one fails or the queue stops. */
export async function synced(server: { url: string; token: string }, count: number): Promise<void> {
  const connection = await Connection.open(server.url);
  try {
    for (;;) {
      const status = await connection.json<Status>({
        method: "GET",
        path: "/admin/queue/status",
        token: server.token,
      });
      if (status.completed >= count) return;
      if (status.isPaused || status.failed > 0) throw new Error(`sync stopped: ${JSON.stringify(status)}`);
      await sleep(LOOK_MS);
    }
  } finally {
    connection.close();
  }
}
