import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

/**
 * For servers with a process per connection: signals reach all of its processes by pid, including those that left its
 * process group.
 */

export function signalTree(server: ChildProcess, signal: NodeJS.Signals): void {
  if (server.pid === undefined || isGone(server)) return;
  for (const pid of treeOf(server.pid)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself a moment ago.
    }
  }
}

/** Stops it, and waits until every thread is stopped: until then one may still answer. */
export async function freezeTree(server: ChildProcess): Promise<void> {
  signalTree(server, "SIGSTOP");
  const { pid } = server;
  if (pid !== undefined) await until(async () => treeOf(pid).every(isFrozen));
}

export async function endTree(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (isGone(server)) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  // Stops the parent first, so that it starts no more processes.
  server.kill("SIGSTOP");
  signalTree(server, signal);
  server.kill("SIGCONT");
  await gone;
}

function isGone(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

function isFrozen(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")),
    );
  } catch {
    return true;
  }
}

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}

function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
