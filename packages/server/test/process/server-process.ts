import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type NodeChild, spawnNode } from "@andon/testkit";
import { vi } from "vitest";

// A process that compiles its own TypeScript takes seconds to start on a busy machine.
const SLOWEST_START_MS = 30_000;
vi.setConfig({ testTimeout: 90_000 });

const MAIN = new URL("../../src/main.ts", import.meta.url);

export const LOAD_CONFIG = fileURLToPath(new URL("load.config.ts", import.meta.url));
export const ADMIN_TOKEN = "a-token-that-is-long-enough";

/** A data folder, and the processes that were started on it. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), "andon-process-"));
  readonly #children: NodeChild[] = [];

  /** Runs the server's own program on a free port. */
  start(env: Readonly<Record<string, string>> = {}): NodeChild {
    const child = spawnNode(MAIN, [], {
      ANDON_DATA: this.path,
      ANDON_PORT: "0",
      LC_ALL: "C",
      ...env,
    });
    this.#children.push(child);
    return child;
  }

  get ledger(): string {
    return join(this.path, "ledger");
  }

  /** Ids of the jobs that ran, with the process that ran each. */
  worked(): { id: string; pid: number }[] {
    const lines = readFileSync(this.ledger, "utf8").trim().split("\n");
    return lines.map((line) => line.split(" ")).map(([id = "", pid]) => ({ id, pid: Number(pid) }));
  }

  async remove(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill("SIGKILL")));
    rmSync(this.path, { recursive: true, force: true });
  }
}

export async function listening(child: NodeChild): Promise<string> {
  const line = await child.waitForLine("Andon listens on", SLOWEST_START_MS);
  return line.split(" ").at(-1) as string;
}

export function ask(url: string, method = "GET", headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method, headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers } });
}
