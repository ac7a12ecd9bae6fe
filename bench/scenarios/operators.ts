import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import type { TestDatabase } from "@andon/testkit";
import { Connection } from "../http/connection.ts";
import { OPERATOR_CALLS, type OperatorCall } from "../operators/calls.ts";
import { type Facts, factsOf } from "../operators/facts.ts";
import { FULL_PAGES, LONG_LIFE, type Mix } from "../operators/store-mix.ts";
import { percentile } from "../percentile.ts";
import { atMost, figureOf, type Round, type Scenario } from "../scenario.ts";
import { type AndonServer, startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const MOST_MS = 50;
const MOST_TIMES = 2;
/**
 * Both servers have just started: this many of every call first, until their code is compiled, and a few before each stretch.
 */
const FIRST_CALLS = 100;
const WARM_UP_CALLS = 20;
/** The number of passes over all calls, so that a disturbance of a second or two affects only part of the calls. */
const PASSES = 6;

const target = (store: "postgres" | "sqlite") => ({
  store,
  text: "every list, count and detail: p99 ≤ 2 × that of the small store and ≤ 50 ms",
  reached: (ours: (figure: string) => number | undefined) => atMost(ours("missed"), 0),
});

export default {
  name: "operators",
  title: "The operator API with 1,000,000 jobs in the store next to 1,000",
  measures:
    "Milliseconds of each list, count and detail over HTTP, one caller, the large store and the small one in turns, all calls several times over, after a minute's rest. Both servers run at once, each on a store of its own. The small store has more of what is rare, so that a page of it is as long as a page of the large one: rows are those of the last answer.",
  mode: "server",
  // With 1,000 of each call, two servers on identical stores differed by more than a factor of two in one or two of 67 p99
  // values.
  full: { jobs: 1_000_000, beside: 1_000, calls: 3_000, restSeconds: 65 },
  quick: { jobs: 20_000, beside: 1_000, calls: 30, restSeconds: 0 },
  rounds: { full: 1, quick: 1 },
  timeoutSeconds: 2_400,
  main: { figure: "missed", unit: "calls that miss", better: "lower" },
  also: [
    { figure: "calls", unit: "calls in all" },
    { figure: "worst", unit: "ms worst p99" },
    { figure: "times", unit: "× worst p99 to small" },
    { figure: "fillSeconds", unit: "s to fill" },
  ],
  parts: {
    what: "call",
    columns: [
      { figure: "p50", unit: "ms p50" },
      { figure: "p99", unit: "ms p99" },
      { figure: "small p50", unit: "small p50" },
      { figure: "small p99", unit: "small p99" },
      { figure: "times", unit: "× p99" },
      { figure: "rows", unit: "rows" },
      { figure: "small rows", unit: "small rows" },
      { figure: "missed", unit: "missed" },
    ],
  },
  targets: [target("postgres"), target("sqlite")],
  async run(round) {
    const { size } = round;
    const before = performance.now();
    const large = await Site.open(round, "large", size.jobs ?? 0, LONG_LIFE);
    const fillSeconds = (performance.now() - before) / 1_000;
    const small = await Site.open(round, "small", size.beside ?? 0, FULL_PAGES);
    try {
      // Some figures cover the last minute and would include the fill, and the database still cleans up after it.
      await rest((size.restSeconds ?? 0) * 1_000);
      const figures: Record<string, number> = {};
      const timed = OPERATOR_CALLS.map((call) => ({
        call,
        large: new Timed(large),
        small: new Timed(small),
      }));
      for (const call of OPERATOR_CALLS) await warmUp(call, [large, small], FIRST_CALLS);
      for (let pass = 0; pass < PASSES; pass++)
        for (const one of timed) await inTurns(one.call, [one.large, one.small], (size.calls ?? 0) / PASSES);
      for (const { call, large, small } of timed) {
        const [ours, beside] = [large.waits, small.waits];
        const times = ours.p99 / beside.p99;
        const missed = ours.p99 > MOST_MS || times > MOST_TIMES ? 1 : 0;
        const part = {
          ...ours,
          "small p50": beside.p50,
          "small p99": beside.p99,
          times,
          rows: large.rows,
          "small rows": small.rows,
          missed,
        };
        for (const [name, value] of Object.entries(part)) figures[figureOf(call.name, name)] = value;
      }
      const all = (name: string) =>
        OPERATOR_CALLS.map((call) => figures[figureOf(call.name, name)] ?? Number.NaN);
      return {
        figures: {
          missed: all("missed").reduce((sum, one) => sum + one, 0),
          calls: OPERATOR_CALLS.length,
          worst: Math.max(...all("p99")),
          times: Math.max(...all("times")),
          fillSeconds,
          ...figures,
        },
        problems: [...large.problems, ...small.problems],
        settings: { config: "vault: false", log: "info, to a file" },
      };
    } finally {
      await large.close();
      await small.close();
    }
  },
} satisfies Scenario;

async function warmUp(call: OperatorCall, sites: readonly Site[], calls: number): Promise<void> {
  for (let n = 0; n < calls; n++) for (const site of sites) await site.time(call, n);
}

async function inTurns(call: OperatorCall, sites: readonly Timed[], calls: number): Promise<void> {
  await warmUp(
    call,
    sites.map(({ site }) => site),
    WARM_UP_CALLS,
  );
  for (let n = 0; n < calls; n++) for (const site of sites) await site.ask(call);
}

/** The waits for one call at one site. */
class Timed {
  readonly site: Site;
  readonly #waits: number[] = [];
  #rows = () => 0;

  constructor(site: Site) {
    this.site = site;
  }

  async ask(call: OperatorCall): Promise<void> {
    this.#waits.push(await this.site.time(call, this.#waits.length));
    this.#rows = this.site.rows;
  }

  get rows(): number {
    return this.#rows();
  }

  get waits(): { p50: number; p99: number } {
    return { p50: percentile(this.#waits, 0.5), p99: percentile(this.#waits, 0.99) };
  }
}

/** A filled store with a server on it, and one caller. */
class Site {
  readonly problems: string[] = [];
  readonly #server: AndonServer;
  readonly #connection: Connection;
  readonly #facts: Facts;
  readonly #database: TestDatabase | undefined;
  #last: Buffer = Buffer.alloc(0);

  private constructor(
    server: AndonServer,
    connection: Connection,
    facts: Facts,
    database: TestDatabase | undefined,
  ) {
    this.#server = server;
    this.#connection = connection;
    this.#facts = facts;
    this.#database = database;
  }

  static async open({ kind, place }: Round, name: string, jobs: number, mix: Mix): Promise<Site> {
    const { createDatabase } = await import("@andon/testkit");
    const { fillStore } = await import("../operators/fill.ts");
    const { fillAlerts } = await import("../operators/fill-alerts.ts");
    const folder = join(place.folder, name);
    mkdirSync(folder);
    // The round has one database, and this scenario needs two at the same time.
    const database = place.postgresUrl === undefined ? undefined : await createDatabase(place.postgresUrl);
    const url = storeUrl(kind.store, { folder, ...(database ? { postgresUrl: database.url } : {}) });
    await fillStore(url, jobs, mix);
    const server = await startAndon({ folder, storeUrl: url, config: { vault: false } });
    await fillAlerts(url, Math.round((jobs * mix.alerts) / 1_000));
    const connection = await Connection.open(server.url);
    return new Site(server, connection, await factsOf(connection, server.token, mix.tenants), database);
  }

  async time(call: OperatorCall, n: number): Promise<number> {
    const token = call.scoped ? this.#facts.tenantKey : this.#server.token;
    const path = call.path(this.#facts, n);
    const request = this.#connection.encode({ method: "GET", path, token });
    const before = performance.now();
    const { status, body } = await this.#connection.send(request);
    const wait = performance.now() - before;
    if (status !== 200) this.#complain(`${path} answered ${status}`);
    this.#last = body;
    return wait;
  }

  /** The number of rows in the last answer; 0 if it is not a list. Parsed on demand. */
  get rows(): () => number {
    const last = this.#last;
    return () => {
      const text = last.toString();
      return text.startsWith("{") ? ((JSON.parse(text) as { items?: unknown[] }).items?.length ?? 0) : 0;
    };
  }

  #complain(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }

  async close(): Promise<void> {
    this.#connection.close();
    await this.#server.stop();
    await this.#database?.drop();
  }
}
