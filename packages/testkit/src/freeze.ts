import { readdirSync, readFileSync } from "node:fs";

/**
 * Stops a process and its children, as a hanging host would: connections stay open, and nothing answers. Returns a
 * function that continues them.
 */
export function freeze(pid: number): () => void {
  // The parent first, so that it starts no child meanwhile.
  process.kill(pid, "SIGSTOP");
  const frozen = [pid, ...childrenOf(pid)];
  for (const one of frozen) process.kill(one, "SIGSTOP");
  return () => {
    for (const one of frozen) process.kill(one, "SIGCONT");
  };
}

/** Reads /proc: tests that freeze a server run on Linux. */
function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name in brackets may contain anything, so the fields are counted from its end: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // The process has ended since the folder was read.
    return undefined;
  }
}
