import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const WORTH_IT = /\.(js|css|html|svg)$/;
const SMALLEST = 1_000;

/** Lays a `.br` and a `.gz` beside every file that gains by it, so that the server need not compress at all. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => WORTH_IT.test(each))) {
        const path = join(dir, name);
        const bytes = readFileSync(path);
        if (bytes.length < SMALLEST) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
