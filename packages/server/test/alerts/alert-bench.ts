import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobDescription } from "@andon/app";
import type { Job, QueueRulesInput } from "@andon/contract";
import { Andon, type Clock, type Queue, type QueueHooks, systemClock } from "@andon/engine";
import { openStore } from "@andon/store";
import { createDatabaseWith } from "@andon/testkit";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { type Alerts, OUTBOX_RULES_FOR_ALERTS, openAlerts } from "../../src/alerts/alerts.ts";
import { alertSettings } from "../../src/alerts/settings.ts";
import { SERVER_MIGRATIONS } from "../../src/migrations.ts";
import { FILE_ALERTS } from "./file-alerts.ts";

const folder = mkdtempSync(join(tmpdir(), "andon-alerts-"));
let files = 0;

const KINDS = {
  sqlite: async () => ({ url: `sqlite:${join(folder, `${++files}.db`)}`, drop: async () => {} }),
  postgres: () => createDatabaseWith("server"),
};

/** The machine's clock, which a test can move forward. */
class MovableClock implements Clock {
  ahead = 0;
  now = () => Date.now() + this.ahead;
  monotonic = () => performance.now() + this.ahead;
  after = systemClock.after;
}

/** Short back-off and short timeout, so that retries and hanging receivers do not slow the tests. */
const SWIFT_OUTBOX: QueueRulesInput = {
  backoff: { type: "fixed", delay: "10ms" },
  timeout: "400ms",
  settleGrace: "50ms",
};

export const KIM = { actor: "kim", reason: "looked into it" };

export interface ProcessOptions {
  readonly settings?: Record<string, unknown>;
  readonly outbox?: QueueRulesInput;
  readonly isEmbedded?: boolean;
}

export interface QueueParts {
  readonly rules?: QueueRulesInput;
  readonly heldAlert?: string;
  readonly describe?: (job: Job) => JobDescription;
  /** Called after the alert was written, in the same transaction. */
  readonly thenStopped?: () => void;
  /** Whether this process has the hooks of alerts. Default true. */
  readonly hasHooks?: boolean;
}

/** One process of a fleet. */
export class AlertProcess {
  readonly andon: Andon;
  readonly alerts: Alerts;
  readonly logged: Record<string, unknown>[];

  constructor(andon: Andon, alerts: Alerts, logged: Record<string, unknown>[]) {
    this.andon = andon;
    this.alerts = alerts;
    this.logged = logged;
  }

  queue(name: string, parts: QueueParts = {}): Queue<string> {
    const { rules, heldAlert, describe, thenStopped, hasHooks = true } = parts;
    const own = this.alerts.hooksFor(name, heldAlert, describe);
    const hooks: QueueHooks = {
      ...own,
      stopped: async (stop, tx) => {
        await own.stopped?.(stop, tx);
        thenStopped?.();
      },
    };
    return this.andon.queue<string>(name, rules, hasHooks ? { hooks } : {});
  }

  /** One pass of the watcher. */
  look(): Promise<void> {
    return this.alerts.start().close();
  }

  async deliver(): Promise<void> {
    this.alerts.deliverers();
    await this.andon.outbox.work();
  }

  async all() {
    return (await this.alerts.list({}, 1, 100)).items;
  }

  async one() {
    const items = await this.all();
    if (items.length !== 1) throw new Error(`${items.length} alerts, not one`);
    return items[0] as (typeof items)[number];
  }
}

export class AlertBench {
  readonly clock = new MovableClock();
  readonly url: string;
  readonly #open: AlertProcess[] = [];

  constructor(url: string) {
    this.url = url;
  }

  async process({ settings = {}, outbox, isEmbedded = true }: ProcessOptions = {}): Promise<AlertProcess> {
    const store = await openStore(this.url, { clock: this.clock });
    await store.migrate([SERVER_MIGRATIONS]);
    const andon = new Andon(store, {
      outbox: { ...SWIFT_OUTBOX, ...OUTBOX_RULES_FOR_ALERTS, ...outbox },
      onError: () => {},
    });
    const logged: Record<string, unknown>[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const own = FILE_ALERTS;
    const alerts = openAlerts({ andon, settings: alertSettings.parse(settings), log, isEmbedded, own });
    const made = new AlertProcess(andon, alerts, logged);
    this.#open.push(made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map(({ andon }) => andon.close()));
  }
}

/** Registers tests for both databases; each test gets an empty one. */
export function describeAlerts(topic: string, define: (bench: () => AlertBench) => void): void {
  describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(`${topic} on %s`, (kind) => {
    let bench: AlertBench;
    let drop: () => Promise<void>;
    beforeEach(async () => {
      const database = await KINDS[kind]();
      drop = database.drop;
      bench = new AlertBench(database.url);
    });
    afterEach(async () => {
      await bench.close();
      await drop();
    });
    define(() => bench);
  });
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LONGEST_WAIT_MS = 45_000;
const LONGEST_PAUSE_MS = 50;

/** Polls until `look` returns a value. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
) {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (let pause = 5; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
