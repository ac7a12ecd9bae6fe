import { setTimeout as sleep } from "node:timers/promises";
import type { AndonServer } from "../servers/andon.ts";

export interface BulkJob {
  readonly state: string;
  readonly processed: number;
  readonly total: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

const ENDED = ["COMPLETED", "ABORTED", "FAILED"];
const LOOK_MS = 25;

export async function makeJob(server: AndonServer, chunkSize: number): Promise<string> {
  const made = { category: "bench", title: "t", body: "b", chunkSize };
  const { body } = await ask(server, "POST", "/bulk-jobs", made);
  return (body as { id: string }).id;
}

export async function ended(server: AndonServer, id: string): Promise<BulkJob> {
  for (;;) {
    const job = (await ask(server, "GET", `/bulk-jobs/${id}`)).body as BulkJob;
    if (ENDED.includes(job.state)) return job;
    await sleep(LOOK_MS);
  }
}

export async function ask(server: AndonServer, method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}
