import { createHash, randomFillSync } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";

const BLOCK = Buffer.alloc(4 << 20);

/** Creates files of random bytes, which no disk can compress, in one folder. They are on disk when this resolves. */
export async function makeFiles(folder: string, sizes: readonly number[]): Promise<void> {
  await mkdir(folder);
  for (const [n, size] of sizes.entries()) {
    const file = await open(join(folder, `file-${String(n).padStart(5, "0")}.bin`), "w");
    for (let left = size; left > 0; left -= BLOCK.length) {
      const block = BLOCK.subarray(0, Math.min(left, BLOCK.length));
      await file.write(randomFillSync(block));
    }
    await file.sync();
    await file.close();
  }
}

/** The SHA-256 sums of a folder's files, by name. */
export async function fingerprints(folder: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith(".")) continue;
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(join(folder, entry.name))) hash.update(chunk);
    seen.set(entry.name, hash.digest("hex"));
  }
  return seen;
}
