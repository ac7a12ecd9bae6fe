import { randomFillSync } from "node:crypto";
import { synced } from "../files/synced.ts";
import { Uploader } from "../files/upload.ts";
import { atMost, type Scenario } from "../scenario.ts";
import { startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const MEGABYTE = 1e6;
const CHUNK = 1 << 20;

const target = (store: "postgres" | "sqlite") => ({
  store,
  text: "grows by < 100 MB",
  reached: (ours: (figure?: string) => number | undefined) => atMost(ours(), 100),
});

export default {
  name: "upload-memory",
  title: "Memory of the server during one upload of 2 GB",
  measures:
    "The most resident memory of the server's process during the upload, and during the sync that follows, over what it had before, in MB. Before: it has just started and has served nothing.",
  mode: "server",
  full: { chunks: 2_048 },
  quick: { chunks: 256 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "grown", unit: "MB grown in all", better: "lower" },
  also: [
    { figure: "grownByUpload", unit: "MB until its answer" },
    { figure: "before", unit: "MB before" },
    { figure: "seconds", unit: "s of the upload" },
  ],
  targets: [target("postgres"), target("sqlite")],
  async run({ kind, place, size }) {
    const chunks = size.chunks ?? 0;
    const server = await startAndon({ folder: place.folder, storeUrl: storeUrl(kind.store, place) });
    const uploader = await Uploader.open(server, 1);
    const block = randomFillSync(Buffer.alloc(CHUNK));
    const bytes = async function* () {
      for (let n = 0; n < chunks; n++) yield block;
    };
    try {
      server.forgetPeak();
      const before = server.memory().now;
      const started = performance.now();
      const answer = await uploader.upload({ name: "large.bin", size: chunks * CHUNK, bytes });
      const seconds = (performance.now() - started) / 1_000;
      const byUpload = server.memory().peak;
      await synced(server, 1);
      return {
        figures: {
          grown: (server.memory().peak - before) / MEGABYTE,
          grownByUpload: (byUpload - before) / MEGABYTE,
          before: before / MEGABYTE,
          seconds,
        },
        problems: answer.size === chunks * CHUNK ? [] : [`${answer.size} bytes arrived`],
        settings: { nas: "folder", log: "info, to a file" },
      };
    } finally {
      uploader.close();
      await server.stop();
    }
  },
} satisfies Scenario;
