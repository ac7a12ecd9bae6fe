import { parseQueueRules } from "@andon/contract";
import type { Queue } from "@andon/engine";
import { giveBack } from "@andon/engine/verbs";
import fc from "fast-check";
import { expect } from "vitest";
import { BulkSource } from "./bulk-source.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const SIZE = 60;
/** Number of runs; `ANDON_SEQUENCES` overrides it. */
const RUNS = { sqlite: 15, postgres: 6 };
const RULES = {
  attempts: 2,
  backoff: { delay: "300ms" },
  onFinalFailure: "hold-lane",
  maxStalled: 100,
} as const;

/** Events during a walk, in any order. `lose`: its claim is taken back while its handler continues. */
const MOVES = ["abort", "resume", "lose", "break", "pass", "throttle"] as const;
type Move = (typeof MOVES)[number];

/**
 * Random aborts, resumes, failures and lost claims: only whole chunks are ever written, and in the end each item once.
 */
export function describeBulkRandom(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "random events during a bulk job", (it) => {
    it("write no item twice, and all in the end", async (bench) => {
      const source = await BulkSource.open(bench, SIZE);
      let breaks = 0;
      source.inWrite = () => {
        if (breaks > 0 && breaks--) throw new Error("broken on purpose");
      };
      let runs = 0;
      const sequence = fc.array(fc.tuple(fc.constantFrom(...MOVES), fc.integer({ min: 0, max: 400 })), {
        minLength: 3,
        maxLength: 14,
      });
      const property = fc.asyncProperty(sequence, async (moves) => {
        breaks = 0;
        const game = await Game.begin(bench, source, `walk-${runs++}`, () => void breaks++);
        for (const [move, ms] of moves) {
          await game.play(move, ms);
          await game.check();
        }
        await game.finish();
      });
      await fc.assert(property, { numRuns: Number(process.env.ANDON_SEQUENCES ?? RUNS[bench.kind.name]) });
    });
  });
}

class Game {
  readonly #bench: Bench;
  readonly #source: BulkSource;
  readonly #queue: Queue;
  readonly #id: string;
  readonly #breakNext: () => void;
  readonly #close: () => Promise<void>;

  private constructor(
    [bench, source, queue, id]: [Bench, BulkSource, Queue, string],
    breakNext: () => void,
    close: () => Promise<void>,
  ) {
    this.#bench = bench;
    this.#source = source;
    this.#queue = queue;
    this.#id = id;
    this.#breakNext = breakNext;
    this.#close = close;
  }

  static async begin(bench: Bench, source: BulkSource, name: string, breakNext: () => void): Promise<Game> {
    const queue = bench.andon.queue(name, RULES);
    const worker = await queue.work(source.handler({ chunkSize: 7, throttle: { pauseMs: 100 } }), {
      places: 2,
    });
    const { id } = await queue.add("walk", { key: "category" });
    const close = async () => {
      await worker.close();
    };
    return new Game([bench, source, queue, id], breakNext, close);
  }

  async play(move: Move, ms: number): Promise<void> {
    const refused = (error: { code?: string }) => expect(error.code).toBe("JOB_STATE");
    if (move === "abort") await this.#queue.abort(this.#id, KIM).then(() => {}, refused);
    if (move === "resume") await this.#queue.resumeJob(this.#id, KIM).then(() => {}, refused);
    if (move === "throttle")
      await this.#queue.throttle(this.#id, { pauseMs: ms }, KIM).then(() => {}, refused);
    if (move === "break") this.#breakNext();
    if (move === "lose") await this.#lose();
    if (move === "pass") await this.#bench.pass(ms);
  }

  async #lose(): Promise<void> {
    const job = await this.#bench.store.read.job({ id: this.#id });
    if (job?.state !== "running") return;
    const definition = { name: this.#queue.name, rules: parseQueueRules("line", RULES), hooks: {} };
    const { pos, fence } = job;
    await giveBack(this.#bench.store, definition, { pos, fence }, "lost").catch((error) =>
      expect(error).toMatchObject({ code: "CLAIM_LOST" }),
    );
  }

  /** The written items match the cursor and the counts, at every moment. */
  async check(): Promise<void> {
    await this.#bench.settled();
    const state = await this.#queue.bulkState(this.#id);
    const processed = state?.processed ?? 0;
    expect(await this.#source.written(this.#id)).toEqual(this.#source.upTo(processed));
    expect(state?.cursor ?? 0).toBe(processed);
    expect(processed === SIZE || processed % 7 === 0).toBe(true);
    if (state?.state === "aborted") expect(state.receipt).toMatchObject({ processed, by: "kim" });
  }

  async finish(): Promise<void> {
    await this.#bench.passUntil("the walk is done", async () => {
      const { state } = await this.#bench.job(this.#id);
      if (state === "aborted" || state === "failed") await this.#queue.resumeJob(this.#id, KIM);
      return state === "done";
    });
    expect(await this.#source.written(this.#id)).toEqual(this.#source.upTo(SIZE));
    await this.#close();
  }
}
