import { openStore } from "@andon/store";
import { ABORTED_CHUNK, abortAtRandom } from "../broadcast/abort-at-random.ts";
import { ended, makeJob } from "../broadcast/bulk-api.ts";
import { percentile } from "../percentile.ts";
import { atLeast, atMost, type Outcome, type Round, type Scenario } from "../scenario.ts";
import { type AndonServer, startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const MEGABYTE = 1e6;
const CHUNK = 1_000;

const targets = (["postgres", "sqlite"] as const).flatMap((store) => [
  {
    store,
    text: "≥ 0.6 × the plain insert",
    reached: (ours: (figure?: string) => number | undefined) => atLeast(ours(), 0.6),
  },
  {
    store,
    text: "abort to stop p99 ≤ 1.1 chunk",
    reached: (ours: (figure?: string) => number | undefined) => atMost(ours("abortChunks"), 1.1),
  },
  {
    store,
    text: "memory grows by < 100 MB",
    reached: (ours: (figure?: string) => number | undefined) => atMost(ours("grown"), 100),
  },
]);

export default {
  name: "broadcast",
  title: "A bulk notification to every channel",
  measures:
    "Recipients per second of one bulk job in chunks of 1,000 (a notification and a push each, one push job per chunk), as a share of plain inserts of the same rows in the same batches into tables with the same indexes, in the same round. Then jobs in chunks of 10,000 are aborted at random moments: the time from the request, as its caller sends it, until another process sees the committed stop in the database, as a share of the chunk that was under way at the request (from the commit before it to its own). Memory: the most of the server's process during the first job over what it had before it.",
  mode: "server",
  full: { channels: 1_000_000, aborts: 100 },
  quick: { channels: 100_000, aborts: 20 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 1_200,
  main: { figure: "share", unit: "× the plain insert", better: "higher" },
  also: [
    { figure: "perSecond", unit: "recipients/s" },
    { figure: "plainPerSecond", unit: "plain rows/s" },
    { figure: "importPerSecond", unit: "channels/s imported" },
    { figure: "abortChunks", unit: "chunks from abort to stop, p99" },
    { figure: "abortChunksMedian", unit: "chunks from abort to stop, median" },
    { figure: "abortMs", unit: "ms from abort to stop, p99" },
    { figure: "grown", unit: "MB grown" },
  ],
  targets,
  run: measure,
} satisfies Scenario;

async function measure({ kind, place, size }: Round): Promise<Outcome> {
  const { channels = 0, aborts = 0 } = size;
  const url = storeUrl(kind.store, place);
  const server = await startAndon({
    folder: place.folder,
    storeUrl: url,
    config: { log: { level: "warn" } },
  });
  const problems: string[] = [];
  try {
    const importing = performance.now();
    await importChannels(server, channels);
    const importSeconds = (performance.now() - importing) / 1_000;
    const plainSeconds = await plainInsert(url, channels);
    server.forgetPeak();
    const before = server.memory().now;
    const id = await makeJob(server, CHUNK);
    const job = await ended(server, id);
    if (job.state !== "COMPLETED" || job.processed !== channels)
      problems.push(`${job.state}, ${job.processed} processed`);
    const seconds = span(job.startedAt, job.finishedAt) / 1_000;
    const grown = (server.memory().peak - before) / MEGABYTE;
    const stops: Awaited<ReturnType<typeof abortAtRandom>>[] = [];
    const store = await openStore(url);
    try {
      for (let n = 0; n < aborts; n++) stops.push(await abortAtRandom(server, store, problems));
    } finally {
      await store.close();
    }
    const stopped = stops.filter((stop) => stop !== undefined);
    if (stopped.length < aborts / 2) problems.push(`${stopped.length} of ${aborts} were aborted`);
    return {
      figures: {
        share: plainSeconds / seconds,
        perSecond: channels / seconds,
        plainPerSecond: channels / plainSeconds,
        importPerSecond: channels / importSeconds,
        abortChunks: percentile(
          stopped.map(({ chunks }) => chunks),
          0.99,
        ),
        abortChunksMedian: percentile(
          stopped.map(({ chunks }) => chunks),
          0.5,
        ),
        abortMs: percentile(
          stopped.map(({ ms }) => ms),
          0.99,
        ),
        grown,
      },
      problems,
      settings: { chunk: CHUNK, abortedChunk: ABORTED_CHUNK, pushes: "log" },
    };
  } finally {
    await server.stop();
  }
}

async function importChannels(server: AndonServer, channels: number): Promise<void> {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (next >= channels) return controller.close();
      const lines = [];
      for (let n = 0; n < 1_000 && next < channels; n++, next++)
        lines.push(`{"id":"c${String(next).padStart(8, "0")}"}\n`);
      controller.enqueue(new TextEncoder().encode(lines.join("")));
    },
  });
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/x-ndjson" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await fetch(`${server.url}/channels`, init);
  if (!response.ok) throw new Error(`the import answered ${response.status}: ${await response.text()}`);
}

/** The same rows without jobs, cursors and fences: two inserts and a commit per chunk. */
async function plainInsert(url: string, channels: number): Promise<number> {
  const store = await openStore(url);
  const int = url.startsWith("sqlite") ? "integer" : "bigint";
  const id = url.startsWith("sqlite") ? "text" : 'text collate "C"';
  const end = url.startsWith("sqlite") ? " without rowid" : "";
  try {
    await store.transaction("plain-tables", async (tx) => {
      await tx.query(
        `create table plain_notifications (job_id text not null, channel_id ${id} not null, tenant_id text not null, created_at ${int} not null, primary key (job_id, channel_id))${end}`,
      );
      await tx.query("create index plain_notifications_channel on plain_notifications (channel_id, job_id)");
      await tx.query(
        `create table plain_pushes (job_id text not null, channel_id ${id} not null, primary key (job_id, channel_id))${end}`,
      );
    });
    const began = performance.now();
    let last = "";
    for (let done = 0; done < channels; done += CHUNK) {
      last = await store.transaction("plain-insert", async (tx) => {
        const rows = await tx.query<{ id: string }>(
          "select id from broadcast_channels where tenant_id = 'default' and id > $1 order by id limit $2",
          [last, CHUNK],
        );
        const values = (from: number) => rows.map((_, at) => `($1, $${at + from}`);
        const ids = rows.map((row) => row.id);
        await tx.query(
          `insert into plain_notifications (job_id, channel_id, tenant_id, created_at) values ${values(3)
            .map((value) => `${value}, 'default', $2)`)
            .join(", ")}`,
          ["plain", Date.now(), ...ids],
        );
        await tx.query(
          `insert into plain_pushes (job_id, channel_id) values ${values(2)
            .map((value) => `${value})`)
            .join(", ")}`,
          ["plain", ...ids],
        );
        return ids.at(-1) ?? last;
      });
    }
    return (performance.now() - began) / 1_000;
  } finally {
    await store.close();
  }
}

const span = (from: string | null, to: string | null) => Date.parse(to ?? "") - Date.parse(from ?? "");
