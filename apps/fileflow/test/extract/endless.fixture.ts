import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createExtractor } from "@andon/fileflow";
import { endlessPdf } from "./pdf-file.ts";

/** Extracts from a file that takes hours to parse, for a test that kills this process. */
const outputFolder = process.argv[2] as string;
const file = join(outputFolder, "endless.pdf");
writeFileSync(file, endlessPdf());
const limits = { timeoutMs: 600_000, memoryMb: 512 };
const request = { task: "text", file, mimeType: null, name: "endless.pdf", limits, outputFolder } as const;
await createExtractor({ processes: 1 }).run(request, new AbortController().signal);
