import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Program, startNode } from "./program.ts";

const MAIN = fileURLToPath(new URL("../../packages/server/dist/main.js", import.meta.url));
const TOKEN = "a-token-for-the-benchmark-alone";

export interface AndonServer {
  readonly url: string;
  readonly token: string;
  /** The folder of the NAS, where the vault runs. */
  readonly nas: string;
  /** Resident memory in bytes: now, and the most since `forgetPeak`. */
  memory(): { now: number; peak: number };
  forgetPeak(): void;
  stop(): Promise<void>;
}

export interface AndonOrder {
  /** Holds the server's data and its log. */
  folder: string;
  storeUrl: string;
  /** The content of its configuration file; all other settings have their defaults. */
  config?: Record<string, unknown>;
}

/** The server as `npm start` runs it, with everything that is on by default, the line of log per request included. */
export async function startAndon({ folder, storeUrl, config = {} }: AndonOrder): Promise<AndonServer> {
  const file = join(folder, "andon.config.json");
  writeFileSync(file, JSON.stringify(config));
  const program = startNode(MAIN, [], {
    log: join(folder, "server.log"),
    env: {
      ANDON_CONFIG: file,
      ANDON_PORT: "0",
      ANDON_DATA: join(folder, "data"),
      ANDON_STORE: storeUrl,
      ANDON_ADMIN_TOKEN: TOKEN,
    },
  });
  try {
    const [, url = ""] = await program.printed(/Andon listens on (\S+)/);
    return {
      url,
      token: TOKEN,
      nas: join(folder, "data", "nas"),
      memory: () => memoryOf(program),
      // Writing 5 to clear_refs resets the peak to the current resident size, see proc(5).
      forgetPeak: () => writeFileSync(`/proc/${program.pid}/clear_refs`, "5"),
      stop: () => program.stop(),
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

function memoryOf({ pid }: Program): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}
