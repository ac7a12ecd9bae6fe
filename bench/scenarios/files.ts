import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { copyByHand } from "../files/copy.ts";
import { fingerprints, makeFiles } from "../files/sample.ts";
import { synced } from "../files/synced.ts";
import { type Uploaded, Uploader } from "../files/upload.ts";
import { inFlight } from "../in-flight.ts";
import { atMost, type Outcome, type Round, type Scenario, type Size } from "../scenario.ts";
import { startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const IN_FLIGHT = 8;
const CHUNK = 1 << 20;

const measures =
  "Seconds from the first byte of the first upload to the last file on the NAS (a folder on the same disk), 8 uploads in flight from another process; next to `cp -r`, `sync` of every file and `sha256sum` of the copy, once before and once after. Every file must lie on the NAS with its bytes.";

const columns = {
  main: { figure: "times", unit: "× the copy", better: "lower" },
  also: [
    { figure: "seconds", unit: "s in all" },
    { figure: "uploadSeconds", unit: "s to the last answer" },
    { figure: "copySeconds", unit: "s of the copy" },
    { figure: "filesPerSecond", unit: "files/s" },
    { figure: "megabytesPerSecond", unit: "MB/s" },
  ],
} as const;

const within = (most: number) =>
  (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: `≤ ${most} × the copy`,
    reached: (ours: (figure?: string) => number | undefined) => atMost(ours(), most),
  }));

export const smallFiles = {
  name: "files-small",
  title: "2,000 small files uploaded and synced to a folder NAS",
  measures,
  mode: "server",
  full: { files: 2_000, smallest: 4_096, largest: 65_536 },
  quick: { files: 200, smallest: 4_096, largest: 65_536 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  ...columns,
  also: [...columns.also],
  targets: within(4),
  run: measure,
} satisfies Scenario;

export const largeFiles = {
  name: "files-large",
  title: "2 GB in large files uploaded and synced to a folder NAS",
  measures,
  mode: "server",
  full: { files: 8, smallest: 256 << 20, largest: 256 << 20 },
  quick: { files: 8, smallest: 16 << 20, largest: 16 << 20 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 600,
  ...columns,
  also: [...columns.also],
  targets: within(1.5),
  run: measure,
} satisfies Scenario;

/** Sizes spread evenly between the smallest and the largest, in a scattered order. */
function sizesOf({ files = 0, smallest = 0, largest = 0 }: Size): number[] {
  const spread = largest - smallest + 1;
  return Array.from({ length: files }, (_, n) => smallest + ((n * 7_919) % spread));
}

async function measure({ kind, place, size }: Round): Promise<Outcome> {
  const source = join(place.folder, "source");
  const sizes = sizesOf(size);
  await makeFiles(source, sizes);
  const expected = await fingerprints(source);
  const names = [...expected.keys()];
  const server = await startAndon({ folder: place.folder, storeUrl: storeUrl(kind.store, place) });
  const uploader = await Uploader.open(server, IN_FLIGHT);
  try {
    await warmUp(uploader);
    await synced(server, WARM_UP_FILES);
    const copyBefore = await copyByHand(source, join(place.folder, "copy-before"));
    const answers: Uploaded[] = [];
    const before = performance.now();
    await inFlight(names.length, IN_FLIGHT, async (n) => {
      const name = names[n] ?? "";
      const path = join(source, name);
      const { size: length } = statSync(path);
      answers.push(await uploader.upload({ name, size: length, bytes: () => bytesOf(path, length) }));
    });
    const uploadSeconds = (performance.now() - before) / 1_000;
    await synced(server, names.length + WARM_UP_FILES);
    const seconds = (performance.now() - before) / 1_000;
    const copyAfter = await copyByHand(source, join(place.folder, "copy-after"));
    const copySeconds = (copyBefore + copyAfter) / 2;
    const total = sizes.reduce((sum, one) => sum + one, 0);
    return {
      figures: {
        times: seconds / copySeconds,
        seconds,
        uploadSeconds,
        copySeconds,
        filesPerSecond: names.length / seconds,
        megabytesPerSecond: total / 1e6 / seconds,
      },
      problems: differences(expected, answers, await fingerprints(server.nas)),
      settings: { inFlight: IN_FLIGHT, nas: "folder", log: "info, to a file" },
    };
  } finally {
    uploader.close();
    await server.stop();
  }
}

/** Reads a small file in one call, because the client shares the cores with the server. */
async function* bytesOf(path: string, size: number): AsyncGenerator<Buffer> {
  if (size <= CHUNK) yield readFileSync(path);
  else yield* createReadStream(path, { highWaterMark: CHUNK });
}

const WARM_UP_FILES = 50;

/** Uploads files that do not count, because the first uploads compile code and open connections. */
async function warmUp(uploader: Uploader): Promise<void> {
  const block = Buffer.alloc(4_096, 1);
  await inFlight(WARM_UP_FILES, IN_FLIGHT, async (n) => {
    const bytes = async function* () {
      yield block;
    };
    await uploader.upload({ name: `warm-${n}.bin`, size: block.length, bytes });
  });
}

function differences(
  expected: Map<string, string>,
  answers: readonly Uploaded[],
  onNas: Map<string, string>,
): string[] {
  const answered = new Map(answers.map(({ name, sha256 }) => [name, sha256]));
  const wrong = (seen: Map<string, string>) =>
    [...expected].filter(([name, sum]) => seen.get(name) !== sum).length;
  return [
    ...(wrong(answered) > 0 ? [`${wrong(answered)} files were answered with another fingerprint`] : []),
    ...(wrong(onNas) > 0 ? [`${wrong(onNas)} files are not on the NAS as they were sent`] : []),
  ];
}
