import { readFileSync } from "node:fs";

/**
 * Bytes that a process has allocated; undefined if the system does not report it (not Linux, or the process has ended). Pages
 * of mapped files (Node itself, libraries) are shared and not counted.
 */
export function allocatedBytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(status) ?? /^VmRSS:\s+(\d+) kB/m.exec(status);
    return kilobytes ? Number(kilobytes[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
