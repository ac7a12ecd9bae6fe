import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@andon/engine";
import { openStore } from "@andon/store";
import { percentile } from "../percentile.ts";
import { atLeast, atMost, type Outcome, type Round, type Scenario } from "../scenario.ts";
import { type AndonServer, startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const MEGABYTE = 1e6;
const CHUNK = 1_000;
const LOOK_MS = 25;

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
    "Recipients per second of one bulk job in chunks of 1,000 (a notification and a push each, one push job per chunk), as a share of plain inserts of the same rows in the same batches into tables with the same indexes, in the same round. Then jobs are aborted at random moments: the time from the request to the stop, next to the longest of the last ten chunks, the one under way at the request included. Memory: the most of the server's process during the first job over what it had before it.",
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
    { figure: "abortMs", unit: "ms from abort to stop, p99" },
    { figure: "grown", unit: "MB grown" },
  ],
  targets,
  run: measure,
} satisfies Scenario;

interface BulkJob {
  readonly state: string;
  readonly processed: number;
  readonly total: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly receipt?: { readonly requestedAt: string; readonly stoppedAt: string };
}

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
    const stops = [];
    const store = await openStore(url);
    try {
      for (let n = 0; n < aborts; n++) stops.push(await abortOne(server, store, problems));
    } finally {
      await store.close();
    }
    return {
      figures: {
        share: plainSeconds / seconds,
        perSecond: channels / seconds,
        plainPerSecond: channels / plainSeconds,
        importPerSecond: channels / importSeconds,
        abortChunks: percentile(
          stops.map(({ chunks }) => chunks),
          0.99,
        ),
        abortMs: percentile(
          stops.map(({ ms }) => ms),
          0.99,
        ),
        grown,
      },
      problems,
      settings: { chunk: CHUNK, pushes: "log" },
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

/** The longest of the last ten chunks of a job that has stopped, in milliseconds: what the engine makes its promises from. */
async function longestChunk(store: Store, id: string): Promise<number> {
  const [row] = await store.query<{ ms: number | null }>(
    "select b.chunk_ms as ms from andon_bulk b join andon_jobs j on j.pos = b.pos where j.id = $1",
    [id],
  );
  return Math.max(1, Number(row?.ms ?? 0));
}

/** Aborts a job at a random moment. */
async function abortOne(
  server: AndonServer,
  store: Store,
  problems: string[],
): Promise<{ ms: number; chunks: number }> {
  const chunkSize = 5_000;
  const id = await makeJob(server, chunkSize);
  while ((await show(server, id)).processed < chunkSize) await sleep(LOOK_MS);
  await sleep(Math.random() * 300);
  const began = performance.now();
  const asked = await ask(server, "POST", `/bulk-jobs/${id}/abort`);
  const job = await ended(server, id);
  const ms = job.receipt ? span(job.receipt.requestedAt, job.receipt.stoppedAt) : performance.now() - began;
  const whole = job.total !== null && job.processed === job.total;
  if (asked.status === 202 && job.processed % chunkSize !== 0 && !whole)
    problems.push(`${job.processed} processed`);
  const chunks = ms / (await longestChunk(store, id));
  await ask(server, "DELETE", `/bulk-jobs/${id}`);
  return { ms, chunks };
}

async function makeJob(server: AndonServer, chunkSize: number): Promise<string> {
  const { body } = await ask(server, "POST", "/bulk-jobs", {
    category: "bench",
    title: "t",
    body: "b",
    chunkSize,
  });
  return (body as { id: string }).id;
}

async function ended(server: AndonServer, id: string): Promise<BulkJob> {
  for (;;) {
    const job = await show(server, id);
    if (["COMPLETED", "ABORTED", "FAILED"].includes(job.state)) return job;
    await sleep(LOOK_MS);
  }
}

const show = async (server: AndonServer, id: string) =>
  (await ask(server, "GET", `/bulk-jobs/${id}`)).body as BulkJob;

async function ask(server: AndonServer, method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const span = (from: string | null, to: string | null) => Date.parse(to ?? "") - Date.parse(from ?? "");
