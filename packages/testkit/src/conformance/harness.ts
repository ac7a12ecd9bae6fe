import type { Job, JobState, QueueRulesInput } from "@andon/contract";
import { Andon, type AndonOptions, type Queue, type QueueOptions, type Store } from "@andon/engine";
import { openStore } from "@andon/store";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type Busyness, countingCalls } from "./busy-store.ts";
import { checkConsistency } from "./check-consistency.ts";
import { eventually } from "./eventually.ts";
import { ManualClock } from "./manual-clock.ts";
import { ManualHandler } from "./manual-handler.ts";

/** A kind of database that the suites run on. */
export interface StoreKind {
  readonly name: "sqlite" | "postgres";
  /** Creates a place for databases of this kind, shared by the tests of one suite, which run one after another. */
  prepare(): Promise<StorePlace>;
}

export interface StorePlace {
  /** The address of an empty database. */
  fresh(): Promise<string>;
  /** Opens a transaction with a caller's own client, and ends it as the callback says. */
  ownTransaction(url: string, work: (client: OwnClient) => Promise<"commit" | "rollback">): Promise<void>;
  remove(): Promise<void>;
}

export interface OwnClient {
  /** The value that is passed to Andon as `tx`. */
  readonly tx: unknown;
  run(sql: string): Promise<void>;
}

/** Registers the tests of one topic for every kind of store; each test gets an Andon of its own on an empty database. */
export function describeOn(
  kinds: readonly StoreKind[],
  topic: string,
  define: (it: (behaviour: string, work: (bench: Bench) => Promise<void>) => void) => void,
): void {
  describe.each(kinds)(`${topic} on $name`, (kind) => {
    let place: StorePlace;
    beforeAll(async () => {
      place = await kind.prepare();
    });
    afterAll(() => place?.remove());
    define((behaviour, work) => {
      test(behaviour, async () => {
        const bench = await Bench.open(kind, place);
        try {
          await work(bench);
          await bench.settled();
          await checkConsistency(bench.andon);
        } finally {
          await bench.close();
        }
      });
    });
  });
}

const MOST_CLOSING_TRIES = 120;

export const KIM = { actor: "kim", reason: "looked into it" } as const;

/** The environment of a test: an Andon on an empty database, with a clock that the test moves. */
export class Bench {
  readonly kind: StoreKind;
  readonly place: StorePlace;
  readonly url: string;
  readonly clock = new ManualClock();
  readonly errors: unknown[] = [];
  readonly #busyness: Busyness = { calls: 0 };
  readonly #open: Andon[] = [];
  readonly #manualHandlers: ManualHandler[] = [];

  private constructor(kind: StoreKind, place: StorePlace, url: string) {
    this.kind = kind;
    this.place = place;
    this.url = url;
  }

  static async open(kind: StoreKind, place: StorePlace): Promise<Bench> {
    const bench = new Bench(kind, place, await place.fresh());
    await bench.another();
    return bench;
  }

  get andon(): Andon {
    return this.#open[0] as Andon;
  }

  get store(): Store {
    return this.andon.store;
  }

  /** One more Andon on the same database, like that of another process. */
  async another(options: AndonOptions = {}): Promise<Andon> {
    const store = await openStore(this.url, {
      clock: this.clock,
      ...(this.kind.name === "sqlite" ? { synchronous: "normal" } : {}),
    });
    const andon = new Andon(countingCalls(store, this.#busyness), {
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.#open.push(andon);
    return andon;
  }

  queue<Payload = unknown>(rules: QueueRulesInput = {}, options?: QueueOptions<Payload>): Queue<Payload> {
    return this.andon.queue<Payload>("line", rules, options);
  }

  manualHandler(): ManualHandler {
    const manual = new ManualHandler();
    this.#manualHandlers.push(manual);
    return manual;
  }

  async job(id: string): Promise<Job> {
    const job = await this.andon.job(id);
    if (!job) throw new Error(`job ${id} does not exist`);
    return job;
  }

  /** Waits until a job is in a state, without moving the clock. */
  reaches(id: string, state: JobState): Promise<Job> {
    return eventually(`job ${id} is ${state}`, async () => {
      const job = await this.andon.job(id);
      return job?.state === state && job;
    });
  }

  /** Moves the clock, timer by timer; the effects of each timer end before the next one fires. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.monotonic() + ms;
    do await this.settled();
    while (this.clock.moveToNext(end));
    await this.settled();
  }

  /** Moves the clock until `look` returns true. */
  async passUntil(what: string, look: () => Promise<boolean> | boolean, most = 600_000): Promise<void> {
    const end = this.clock.monotonic() + most;
    await this.settled();
    while (!(await look())) {
      if (this.clock.monotonic() >= end) throw new Error(`${most} ms passed without: ${what}`);
      await this.pass(250);
    }
  }

  /** Moves the clock until a job is in a state. */
  async passUntilState(id: string, state: JobState): Promise<Job> {
    await this.passUntil(`job ${id} is ${state}`, async () => (await this.job(id)).state === state);
    return this.job(id);
  }

  /** Waits until no call of the store is running and none follows from the last one. */
  async settled(): Promise<void> {
    const deadline = performance.now() + 5_000;
    for (let quiet = 0; quiet < 3 && performance.now() < deadline; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#busyness.calls === 0 ? quiet + 1 : 0;
    }
  }

  async close(): Promise<void> {
    for (const manual of this.#manualHandlers) manual.letGo();
    let open = true;
    const closing = Promise.all(this.#open.map((andon) => andon.close())).finally(() => {
      open = false;
    });
    closing.catch(() => {});
    for (let tries = 0; open; tries++) {
      if (tries === MOST_CLOSING_TRIES) throw new Error("Andon does not close");
      await this.pass(1_000);
    }
    await closing;
  }
}
