import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Call, Connection } from "../http/connection.ts";
import { type Act, type Measured, sideBySide } from "../http/load.ts";
import { QUEUE } from "../operators/store-mix.ts";
import { figureOf, type Round, type Scenario } from "../scenario.ts";
import { startAndon } from "../servers/andon.ts";
import { startBare } from "../servers/bare-fastify.ts";
import { storeUrl } from "../store-url.ts";

const JOBS_IN_THE_STORE = 1_000;
const WIDTHS = [1, 32];

const LOOKS = {
  status: "/admin/queue/status",
  failed: "/admin/queue/failed?limit=20",
  jobs: `/admin/jobs?queue=${QUEUE}&state=ready&limit=20`,
};

const named = (what: string, width: number) =>
  `${what}, ${width} ${width === 1 ? "connection" : "connections"}`;

export default {
  name: "http",
  title: "Requests per second over HTTP",
  measures:
    "Requests per second and milliseconds of a request, with connections that are kept alive. Beside it, in turns of a second: a bare Fastify route that answers the same bytes, and for adds the library's own `queue.add` with as many in flight, on a store of its kind.",
  mode: "server",
  full: { seconds: 8 },
  quick: { seconds: 1 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 400,
  main: { figure: figureOf(named("status", 32), "rate"), unit: "status/s, 32 connections", better: "higher" },
  also: [{ figure: figureOf(named("add", 32), "rate"), unit: "adds/s, 32 connections" }],
  parts: {
    what: "request",
    columns: [
      { figure: "rate", unit: "requests/s" },
      { figure: "p50", unit: "ms p50" },
      { figure: "p99", unit: "ms p99" },
      { figure: "beside rate", unit: "beside /s" },
      { figure: "beside p50", unit: "beside p50" },
      { figure: "beside p99", unit: "beside p99" },
      { figure: "share", unit: "share of beside" },
    ],
  },
  targets: [],
  async run(round) {
    const { open } = await import("andon");
    const { fillStore } = await import("../operators/fill.ts");
    const { folder } = round.place;
    const url = storeUrl(round.kind.store, round.place);
    await fillStore(url, JOBS_IN_THE_STORE);
    const server = await startAndon({
      folder,
      storeUrl: url,
      config: { vault: false, queues: { bench: {} } },
    });
    const { token } = server;
    const callers = await Promise.all(WIDTHS.map((width) => connections(server.url, width)));
    const bare = await startBare(folder, await answersOf(callers[0]?.[0] as Connection, token));
    const andon = await open(libraryUrl(round));
    const library = andon.queue("library");
    const figures: Record<string, number> = {};
    const problems: string[] = [];
    const note = (part: string, [ours, beside]: [Measured, Measured]) => {
      const { rate, p50, p99 } = ours;
      const seen = {
        rate,
        p50,
        p99,
        "beside rate": beside.rate,
        "beside p50": beside.p50,
        "beside p99": beside.p99,
      };
      const share = ours.rate / beside.rate;
      for (const [name, value] of Object.entries({ ...seen, share })) figures[figureOf(part, name)] = value;
      if (ours.wrong + beside.wrong > 0) problems.push(`${part}: ${ours.wrong + beside.wrong} wrong answers`);
    };
    const seconds = round.size.seconds ?? 1;
    try {
      for (const [at, width] of WIDTHS.entries()) {
        const mine = callers[at] ?? [];
        const others = await connections(bare.url, width);
        for (const [what, path] of Object.entries(LOOKS)) {
          const ours = mine.map((one) => asking(one, { method: "GET", path, token }, 200));
          const beside = others.map((one) => asking(one, { method: "GET", path: `/${what}` }, 200));
          note(named(what, width), await sideBySide(ours, beside, seconds));
        }
        const add: Call = {
          method: "POST",
          path: "/admin/queues/bench/jobs",
          token,
          body: { payload: PAYLOAD },
        };
        const ours = mine.map((one) => asking(one, add, 201));
        const beside = ours.map((): Act => async () => (await library.add(PAYLOAD)).isNew);
        note(named("add", width), await sideBySide(ours, beside, seconds));
        for (const one of [...mine, ...others]) one.close();
      }
    } finally {
      await andon.close();
      await bare.stop();
      await server.stop();
    }
    return { figures, problems, settings: { config: "vault: false", log: "info, to a file" } };
  },
} satisfies Scenario;

const PAYLOAD = { fileId: "0199-bench", path: "/projects/7/reports/1234.pdf", size: 48_213 };

const connections = (url: string, width: number) =>
  Promise.all(Array.from({ length: width }, () => Connection.open(url)));

function asking(connection: Connection, call: Call, expected: number): Act {
  const request = connection.encode(call);
  return async () => (await connection.send(request)).status === expected;
}

/** The server's answers; the bare server returns the same. */
async function answersOf(connection: Connection, token: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [what, path] of Object.entries(LOOKS))
    answers[`/${what}`] = await connection.json({ method: "GET", path, token });
  return answers;
}

/** On SQLite the library gets its own file: two processes that write to one file wait for each other. */
function libraryUrl({ kind, place }: Round): string {
  const folder = join(place.folder, "library");
  mkdirSync(folder);
  return storeUrl(kind.store, { ...place, folder });
}
