import type { Client } from "@andon/client";
import type { SettingsInput } from "@andon/server";

interface Upload {
  readonly nasPath: string;
  readonly note?: string;
}

/** A NAS that a test can make unreachable, with files that a test can break. */
export interface Nas {
  isUp: boolean;
  readonly bad: Map<string, string>;
  readonly done: string[];
}

/** The queue that stops when the NAS is unreachable. */
export const STOPPING = "nas-sync";

/** The queues for the console's tests and screenshots. */
export function demoLine(): { nas: Nas; settings: SettingsInput } {
  const nas: Nas = { isUp: true, bad: new Map(), done: [] };
  const sync = async ({ payload }: { payload: Upload }) => {
    const problem = nas.isUp ? nas.bad.get(payload.nasPath) : "ECONNREFUSED: NAS connection refused";
    if (problem !== undefined) {
      throw Object.assign(new Error(problem), { code: problem.split(":")[0], stack: stackOf(problem) });
    }
    nas.done.push(payload.nasPath);
  };
  const isOutage = ({ code }: { code: string }) => (code === "ECONNREFUSED" ? "destination" : "job");
  const settings: SettingsInput = {
    queues: {
      [STOPPING]: {
        mode: "serial",
        stopReason: "NAS_SYNC_FAILED",
        backoff: { delay: 1 },
        handler: sync as never,
      },
      thumbnails: { attempts: 2, backoff: { delay: 1 }, handler: sync as never },
      mail: { backoff: { delay: "1h" }, classify: isOutage, handler: sync as never },
      reports: { handler: sync as never },
    },
  };
  return { nas, settings };
}

/** The same stack on every machine, so that screenshots are equal. */
function stackOf(problem: string): string {
  const places = [
    "NasClient.connect (nas/client.js:88:15)",
    "NasClient.put (nas/client.js:142:5)",
    "sync (nas/sync.js:31:9)",
  ];
  return [`Error: ${problem}`, ...places.map((place) => `    at ${place}`)].join("\n");
}

/** Adds uploads, in order. */
export async function addUploads(client: Client, queue: string, paths: readonly string[]): Promise<void> {
  for (const nasPath of paths) {
    await client.queues.add({ queue, payload: { nasPath }, key: nasPath, name: "NAS_SYNC_UPLOAD" });
  }
}
