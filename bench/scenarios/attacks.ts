import { Connection } from "../http/connection.ts";
import { percentile } from "../percentile.ts";
import { all, atMost, figureOf, type Scenario } from "../scenario.ts";
import { type AndonServer, startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const MEGABYTE = 1e6;
const QUEUE = "bench";
const PARTS = {
  keys: "unknown keys",
  bodies: "half-sent bodies",
  reads: "long reads",
  streams: "event streams",
};
const LONG_READS = [
  "/admin/audit/verify?full=true",
  "/files?text=nothing-has-this-name",
  "/admin/audit?target=queue:bench&actor=person%201&page=50",
  "/admin/jobs?text=nothing",
];
const READS_AT_ONCE = 16;
const ASKED = 200;

const target = (store: "postgres" | "sqlite") => ({
  store,
  text: "/healthz p99 ≤ 50 ms (unknown keys) and ≤ 100 ms (long reads), answers ≤ 16 KB, + ≤ 50 MB, others ≤ 1.5 ×",
  reached: (ours: (figure?: string) => number | undefined) =>
    all(
      atMost(ours(figureOf(PARTS.keys, "p99")), 50),
      atMost(ours(figureOf(PARTS.reads, "p99")), 100),
      atMost(ours("largestAnswer"), 16_384),
      atMost(ours("grown"), 50),
      atMost(ours("others"), 1.5),
    ),
});

/** What the attacks need. */
interface Attack {
  readonly server: AndonServer;
  /** A key that may only read. */
  readonly viewer: string;
  readonly admin: Connection;
}

export default {
  name: "attacks",
  title: "The server under attack",
  measures:
    "Milliseconds of `/healthz`, asked every 5 ms, while others attack: ten requests at once with 3,800 unknown keys and no token; half-sent bodies; 16 of the dearest reads at once with a key that only reads, over many files and audit rows; many event streams of one key. Beside it: the largest refusal, how much memory half-sent bodies take, how many of them the server has ended, and by how much an operator's request takes longer beside the streams.",
  mode: "server",
  full: { rows: 100_000, bodies: 1_000, streams: 1_000, seconds: 10, bodyTimeout: 30 },
  quick: { rows: 20_000, bodies: 200, streams: 300, seconds: 3, bodyTimeout: 3 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 600,
  main: { figure: figureOf(PARTS.reads, "p99"), unit: "ms /healthz p99 beside long reads", better: "lower" },
  also: [
    { figure: "largestAnswer", unit: "bytes of a refusal" },
    { figure: "grown", unit: "MB of half-sent bodies" },
    { figure: "ended", unit: "of them ended" },
    { figure: "openStreams", unit: "streams let in" },
    { figure: "others", unit: "× an operator's p50" },
  ],
  parts: {
    what: "attack",
    columns: [
      { figure: "p50", unit: "ms p50" },
      { figure: "p99", unit: "ms p99" },
      { figure: "most", unit: "ms most" },
    ],
  },
  targets: [target("postgres"), target("sqlite")],
  async run({ kind, place, size }) {
    const { startHealthProbe } = await import("../http/health-probe.ts");
    const { fillLists } = await import("../attacks/fill-lists.ts");
    const { rows = 0, bodies = 0, streams = 0, seconds = 1, bodyTimeout = 30 } = size;
    const url = storeUrl(kind.store, place);
    const config = { queues: { [QUEUE]: {} }, http: { bodyTimeout: `${bodyTimeout}s` } };
    const server = await startAndon({ folder: place.folder, storeUrl: url, config });
    await fillLists(url, rows);
    const admin = await Connection.open(server.url);
    const { token: viewer } = await admin.json<{ token: string }>({
      method: "POST",
      path: "/admin/keys",
      token: server.token,
      body: { name: "viewer", permissions: ["queue.read", "files.read", "queue.operate"] },
    });
    const attack: Attack = { server, viewer, admin };
    const probe = await startHealthProbe(server.url);
    const figures: Record<string, number> = {};
    const during = async (part: string, work: () => Promise<void>) => {
      await probe.taken();
      await work();
      const taken = await probe.taken();
      figures[figureOf(part, "p50")] = percentile(taken, 0.5);
      figures[figureOf(part, "p99")] = percentile(taken, 0.99);
      figures[figureOf(part, "most")] = Math.max(...taken);
    };
    try {
      await during(PARTS.keys, async () => {
        figures.largestAnswer = await unknownKeys(attack, seconds);
      });
      await during(PARTS.bodies, async () => {
        Object.assign(figures, await halfBodies(attack, bodies, bodyTimeout));
      });
      await during(PARTS.reads, () => longReads(attack, seconds));
      await during(PARTS.streams, async () => {
        Object.assign(figures, await manyStreams(attack, streams));
      });
      const problems =
        figures.ended === bodies ? [] : [`${bodies - (figures.ended ?? 0)} half-sent bodies are open`];
      return { figures, problems, settings: { rows, bodies, streams, bodyTimeout } };
    } finally {
      await probe.stop();
      admin.close();
      await server.stop();
    }
  },
} satisfies Scenario;

const until = (seconds: number) => {
  const end = performance.now() + seconds * 1_000;
  return () => performance.now() < end;
};

/** Returns the size of the largest answer in bytes. */
async function unknownKeys({ server }: Attack, seconds: number): Promise<number> {
  const path = `/healthz?${Array.from({ length: 3_800 }, (_, n) => n.toString(36)).join("&")}`;
  let largest = 0;
  const isOn = until(seconds);
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const connection = await Connection.open(server.url);
      const request = connection.encode({ method: "GET", path });
      while (isOn()) largest = Math.max(largest, (await connection.send(request)).body.byteLength);
      connection.close();
    }),
  );
  return largest;
}

/** Waits up to twice the body timeout. */
async function halfBodies({ server, viewer }: Attack, count: number, bodyTimeout: number) {
  const { sendHalfBodies } = await import("../attacks/half-sent.ts");
  const before = server.memory().now;
  server.forgetPeak();
  const path = `/admin/queues/${QUEUE}/pause`;
  const sent = await sendHalfBodies({ url: server.url, token: viewer }, path, count);
  const isOn = until(bodyTimeout * 2);
  while (isOn() && sent.ended() < count) await new Promise((resolve) => setTimeout(resolve, 50));
  const ended = sent.ended();
  sent.close();
  return { ended, grown: Math.max(0, server.memory().peak - before) / MEGABYTE };
}

async function longReads({ server, viewer }: Attack, seconds: number): Promise<void> {
  const isOn = until(seconds);
  await Promise.all(
    Array.from({ length: READS_AT_ONCE }, async (_, n) => {
      const connection = await Connection.open(server.url);
      const path = LONG_READS[n % LONG_READS.length] as string;
      while (isOn()) await connection.json({ method: "GET", path, token: viewer });
      connection.close();
    }),
  );
}

/**
 * The duration of an operator's decisions while every stream receives their events, against their duration without streams.
 */
async function manyStreams({ server, viewer, admin }: Attack, count: number) {
  const { openStreams } = await import("../attacks/event-streams.ts");
  const decide = async () => {
    const taken: number[] = [];
    for (let n = 0; n < ASKED; n++) {
      const path = `/admin/queues/${QUEUE}/${n % 2 ? "resume" : "pause"}`;
      const before = performance.now();
      await admin.json({ method: "POST", path, token: server.token, body: { reason: "bench" } });
      taken.push(performance.now() - before);
    }
    return percentile(taken, 0.5);
  };
  const alone = await decide();
  const { open, close } = await openStreams({ url: server.url, token: viewer }, count);
  const beside = await decide();
  close();
  return { openStreams: open, others: beside / alone };
}
