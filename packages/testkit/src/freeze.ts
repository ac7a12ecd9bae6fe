import { readdirSync, readFileSync } from "node:fs";

/**
 * Stops a process and its children where they are, as a host that hangs would: connections stay open and nobody answers.
 * Returns how to let them go on.
 */
export function freeze(pid: number): () => void {
  // The parent first, so that no child is born meanwhile.
  process.kill(pid, "SIGSTOP");
  const frozen = [pid, ...childrenOf(pid)];
  for (const one of frozen) process.kill(one, "SIGSTOP");
  return () => {
    for (const one of frozen) process.kill(one, "SIGCONT");
  };
}

/** As Linux tells it: the tests that freeze a server run there. */
function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name in brackets may hold anything, so the fields are counted from its end: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // It has ended since the folder was read.
    return undefined;
  }
}
