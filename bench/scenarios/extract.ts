import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atLeast, figureOf, type Outcome, type Round, type Scenario } from "../scenario.ts";

const APP = new URL("../../apps/fileflow/", import.meta.url);
const MEGABYTE = 1e6;
const WARM_UP = 5;
const LIMITS = { timeoutMs: 120_000, memoryMb: 512 };

export default {
  name: "extract",
  title: "Text of PDF and DOCX files in processes of their own",
  measures:
    "Megabytes of files per second whose text is extracted and written by one warm process of the pool, as a share of the library (unpdf, mammoth) called in this process on the same files, in turns, file by file. Every text is compared with that of the library.",
  mode: "server",
  full: { files: 20, pages: 120 },
  quick: { files: 5, pages: 120 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "share", unit: "× the library alone", better: "higher" },
  also: [
    { figure: "perSecond", unit: "MB/s" },
    { figure: "libraryPerSecond", unit: "MB/s of the library" },
  ],
  parts: {
    what: "kind of file",
    columns: [
      { figure: "share", unit: "× the library alone" },
      { figure: "perSecond", unit: "MB/s" },
    ],
  },
  targets: [{ store: "sqlite", text: "≥ 0.8 × the library", reached: (ours) => atLeast(ours(), 0.8) }],
  cited: ({ store }) => (store === "sqlite" ? undefined : "no store takes part"),
  run: measure,
} satisfies Scenario;

/** One kind of file: how to create it, and how to call its library directly. */
interface Kind {
  make(number: number, pages: number): Buffer;
  alone(file: string): Promise<string>;
}

interface Extractor {
  run(request: Record<string, unknown>, signal: AbortSignal): Promise<{ textFile?: string }>;
  close(): Promise<void>;
}

async function measure({ place, size }: Round): Promise<Outcome> {
  const { files = 0, pages = 0 } = size;
  const { createExtractor } = await import(new URL("dist/extract/create-extractor.js", APP).href);
  const extractor: Extractor = createExtractor({ processes: 1 });
  const figures: Record<string, number> = {};
  const problems: string[] = [];
  const sums = { bytes: 0, pool: 0, alone: 0 };
  try {
    for (const [name, kind] of Object.entries(await loadKinds())) {
      const spent = { bytes: 0, pool: 0, alone: 0 };
      // The first files load the libraries and compile the code of both sides; they do not count.
      for (let number = 1; number <= WARM_UP + files; number++) {
        const bytes = kind.make(number, pages);
        const file = join(place.folder, `${number}.${name}`);
        writeFileSync(file, bytes);
        const pool = await timed(() => extractWith(extractor, file));
        const alone = await timed(() => kind.alone(file));
        if (compact(pool.value) !== compact(alone.value)) problems.push(`${name} ${number}: another text`);
        if (number <= WARM_UP) continue;
        spent.bytes += bytes.length;
        spent.pool += pool.seconds;
        spent.alone += alone.seconds;
      }
      figures[figureOf(name, "share")] = spent.alone / spent.pool;
      figures[figureOf(name, "perSecond")] = spent.bytes / MEGABYTE / spent.pool;
      for (const key of ["bytes", "pool", "alone"] as const) sums[key] += spent[key];
    }
  } finally {
    await extractor.close();
  }
  figures.share = sums.alone / sums.pool;
  figures.perSecond = sums.bytes / MEGABYTE / sums.pool;
  figures.libraryPerSecond = sums.bytes / MEGABYTE / sums.alone;
  return { figures, problems, settings: { processes: 1, ...LIMITS } };
}

async function loadKinds(): Promise<Record<string, Kind>> {
  const { textPdf } = await import(new URL("test/extract/pdf-file.ts", APP).href);
  const { docxFile } = await import(new URL("test/extract/zip-file.ts", APP).href);
  const { extractText, getDocumentProxy } = await import("unpdf");
  const { default: mammoth } = await import("mammoth");
  return {
    pdf: {
      make: (number, pages) =>
        // The lines of a page are separate strings, each below the one before.
        textPdf(Array.from({ length: pages }, (_, page) => lines(number, page).join(") Tj 0 -14 Td ("))),
      async alone(file) {
        const pdf = await getDocumentProxy(new Uint8Array(readFileSync(file)));
        return (await extractText(pdf, { mergePages: true })).text;
      },
    },
    docx: {
      make: (number, pages) =>
        docxFile(Array.from({ length: pages }, (_, page) => lines(number, page)).flat()),
      alone: async (file) => (await mammoth.extractRawText({ path: file })).value,
    },
  };
}

function lines(number: number, page: number): string[] {
  return Array.from(
    { length: 45 },
    (_, line) =>
      `File ${number}, page ${page}, line ${line}: the ${(line * 7_919 + page) % 1_000} words of it differ.`,
  );
}

async function extractWith(extractor: Extractor, file: string): Promise<string> {
  const outputFolder = `${file}.output`;
  mkdirSync(outputFolder);
  const request = { task: "text", file, mimeType: null, name: file, limits: LIMITS, outputFolder };
  const { textFile = "" } = await extractor.run(request, new AbortController().signal);
  return readFileSync(join(outputFolder, textFile), "utf8");
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const before = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - before) / 1_000 };
}

/** Without white space, because the library joins lines differently. */
const compact = (text: string) => text.replace(/\s+/g, "");
