import { runsAsRoot, SERVER_USER } from "./postgres-binaries.ts";

/**
 * Does work as a user whom permissions bind: root, as whom tests may run, writes where nobody may. The user is the whole
 * process's, so nothing else may run beside it.
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
