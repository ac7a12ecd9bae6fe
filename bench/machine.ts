import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { availableParallelism, cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGB: number;
  kernel: string;
  node: string;
  /** Durable 4 kB writes per second, one after another, in the folder of the databases. */
  fdatasyncPerSecond: number;
  /** Set if the databases are in memory, where durability costs nothing and no figure is meaningful. */
  warning?: string;
}

const TMPFS = 0x01021994;

export function describeMachine(): Machine {
  const folder = tmpdir();
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1e9),
    kernel: release(),
    node: process.version,
    fdatasyncPerSecond: Math.round(measureDisk(folder)),
    ...(statfsSync(folder).type === TMPFS
      ? { warning: "the databases lie on tmpfs; set TMPDIR to a folder on a disk" }
      : {}),
  };
}

function measureDisk(base: string): number {
  const folder = mkdtempSync(join(base, "andon-bench-disk-"));
  const file = openSync(join(folder, "probe"), "w");
  const block = Buffer.alloc(4096, 1);
  // Overwrites, as a log does in space that it already has. Appends would also measure the file system's own metadata.
  for (let at = 0; at < 256; at++) writeSync(file, block, 0, block.length, at * block.length);
  fdatasyncSync(file);
  let writes = 0;
  const before = performance.now();
  while (performance.now() - before < 1_000) {
    writeSync(file, block, 0, block.length, (writes % 256) * block.length);
    fdatasyncSync(file);
    writes++;
  }
  const seconds = (performance.now() - before) / 1000;
  closeSync(file);
  rmSync(folder, { recursive: true });
  return writes / seconds;
}

/** The installed version of a peer, which may differ from the requested one. */
export function peerVersion(name: string): string {
  const file = new URL(`./peers/node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}
