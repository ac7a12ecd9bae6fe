import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExtractor } from "../../src/extract/create-extractor.ts";
import type { ExtractRequest, ExtractResult } from "../../src/extract/port.ts";

interface Order {
  readonly task: ExtractRequest["task"];
  readonly bytes: string | Uint8Array;
  readonly name?: string;
  readonly mimeType?: string;
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  readonly signal?: AbortSignal;
}

interface Extracted extends ExtractResult {
  readonly text?: string;
  /** All files in the output folder after the run. */
  readonly files: readonly string[];
  readonly folder: string;
}

export type ExtractFiles = ReturnType<typeof extractFiles>;

/** An extractor with its own folder: writes a file, extracts from it, and reads the result. */
export function extractFiles(processes = 2) {
  const home = mkdtempSync(join(tmpdir(), "fileflow-extract-"));
  const extractor = createExtractor({ processes });
  return {
    home,
    async run({ task, bytes, name = "file", mimeType, timeoutMs = 60_000, memoryMb = 512, signal }: Order) {
      const folder = mkdtempSync(join(home, "output-"));
      const file = join(mkdtempSync(join(home, "input-")), "input");
      writeFileSync(file, bytes);
      const limits = { timeoutMs, memoryMb };
      const request = { task, file, mimeType: mimeType ?? null, name, limits, outputFolder: folder };
      const result = await extractor.run(request, signal ?? new AbortController().signal);
      const text =
        result.textFile === undefined ? {} : { text: readFileSync(join(folder, result.textFile), "utf8") };
      const extracted: Extracted = { ...result, ...text, files: readdirSync(folder), folder };
      return extracted;
    },
    /** Temporary files that remain in the output folders. */
    leftOver(): string[] {
      const folders = readdirSync(home).filter((name) => name.startsWith("output-"));
      return folders.flatMap((name) => readdirSync(join(home, name))).filter((name) => name.startsWith("."));
    },
    async close(): Promise<void> {
      await extractor.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The running extraction processes that a process has started. */
export function extractionProcesses(parent = process.pid): number[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => isExtractionProcess(id, parent)).map(Number);
}

function isExtractionProcess(id: string, parent: number): boolean {
  try {
    const status = readFileSync(`/proc/${id}/status`, "latin1");
    const program = readFileSync(`/proc/${id}/cmdline`, "latin1");
    return new RegExp(`^PPid:\\s+${parent}$`, "m").test(status) && program.includes("extract/programs/main");
  } catch {
    return false;
  }
}
