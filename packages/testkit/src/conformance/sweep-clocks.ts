import { Andon, type Store } from "@andon/engine";
import { openStore } from "@andon/store";
import { expect } from "vitest";
import { countingCalls } from "./busy-store.ts";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

const RULES = { timeout: 0 } as const;

/** A process with its own clock, as on another machine. */
class OtherMachine {
  readonly clock: ManualClock;
  readonly #busyness = { calls: 0 };
  readonly #andon: Andon;

  private constructor(store: Store, clock: ManualClock) {
    this.clock = clock;
    this.#andon = new Andon(countingCalls(store, this.#busyness), { onError: () => {} });
  }

  static async start(bench: Bench): Promise<OtherMachine> {
    const clock = new ManualClock();
    const machine = new OtherMachine(await openStore(bench.url, { clock }), clock);
    await machine.#andon.queue("line", RULES).work(() => {}, { places: 1 });
    return machine;
  }

  async pass(ms: number): Promise<void> {
    const end = this.clock.monotonic() + ms;
    do await this.#settled();
    while (this.clock.moveToNext(end));
    await this.#settled();
  }

  async close(): Promise<void> {
    let open = true;
    const closing = this.#andon.close().finally(() => {
      open = false;
    });
    while (open) await this.pass(1_000);
    await closing;
  }

  async #settled(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#busyness.calls === 0 ? quiet + 1 : 0;
    }
  }
}

/** Two workers, each with a job, which must keep it. */
async function twoAtWork(bench: Bench) {
  const here = bench.queue<string>(RULES);
  const there = (await bench.another()).queue<string>("line", RULES);
  const added = await here.addMany(["1", "2"]);
  const manual = bench.manualHandler();
  await here.work(manual.handler, { places: 1 });
  await there.work(manual.handler, { places: 1 });
  await manual.takeMany(2);
  return added.map((job) => job.id);
}

async function expectAllAtWork(bench: Bench, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    expect((await bench.job(id)).state).toBe("running");
    expect(await bench.andon.attempts(id)).toEqual([]);
  }
}

/**
 * A worker counts as dead if its beat has stopped changing, measured on the sweeper's own monotonic clock; timestamps
 * are never compared (X4).
 */
export function describeSweepClocks(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "clocks of a sweep", (it) => {
    it("may be set five minutes forward or back without losing a worker", async (bench) => {
      const ids = await twoAtWork(bench);
      await bench.pass(7_000);
      bench.clock.setWallClockBy(300_000);
      await bench.pass(20_000);
      await expectAllAtWork(bench, ids);
      bench.clock.setWallClockBy(-600_000);
      await bench.pass(20_000);
      await expectAllAtWork(bench, ids);
      expect(await bench.andon.workers()).toHaveLength(2);
    });

    it("may be five minutes apart on two machines", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const { id } = await queue.add("1");
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await manual.take(id);
      const other = await OtherMachine.start(bench);
      other.clock.setWallClockBy(-300_000);
      for (let n = 0; n < 10; n++) {
        await bench.pass(4_000);
        await other.pass(4_000);
      }
      await expectAllAtWork(bench, [id]);
      await other.close();
    });

    it("may jump in a sweeper that was paused, whose pause does not count as the others' silence", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const { id } = await queue.add("1");
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await manual.take(id);
      const other = await OtherMachine.start(bench);
      await other.pass(4_000);
      other.clock.jump(60_000);
      await other.pass(3_000);
      await expectAllAtWork(bench, [id]);
      await bench.pass(4_000);
      await other.pass(9_000);
      await expectAllAtWork(bench, [id]);
      await other.pass(12_000);
      expect((await bench.andon.attempts(id))[0]).toMatchObject({ outcome: "lost" });
      await other.close();
    });
  });
}
