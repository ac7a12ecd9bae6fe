import { runsAsRoot, SERVER_USER } from "./postgres-binaries.ts";

/**
 * Runs work as an unprivileged user: tests may run as root, which may write anywhere. The user changes for the whole
 * process, so nothing else may run meanwhile.
 */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (!runsAsRoot) return await work();
  process.seteuid?.(SERVER_USER);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
