import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Programs of the operating system, not of an npm package. */
const [MOUNT, UMOUNT] = ["mount", "umount"] as const;

/** Mounts a small memory file system on a folder; returns the function that unmounts it. */
export function mountTmpfs(folder: string, size: string): () => void {
  const { status, stderr } = spawnSync(MOUNT, ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  if (status !== 0) throw new Error(`mount: ${stderr}`);
  return () => {
    spawnSync(UMOUNT, [folder]);
  };
}

export function remountReadOnly(folder: string): void {
  const { status, stderr } = spawnSync(MOUNT, ["-o", "remount,ro", folder]);
  if (status !== 0) throw new Error(`mount: ${stderr}`);
}

/** Whether this process may mount. Most may not; then only the flaky storage tests a full disk. */
export const canMount = (() => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "andon-mount-"));
  try {
    mountTmpfs(folder, "1m")();
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();
