import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Changes that a person with access to the tables might make to a certificate. */
const FORGERIES: Record<string, string> = {
  "who stopped the queue": "actor = 'somebody else'",
  "why it was stopped": "reason = 'nothing happened'",
  "by what it was stopped": "kind = 'failure', job_id = 'j', error_code = 'E', error_message = 'm'",
  "what was in flight": "in_flight = '[]'",
  "which job started last": "last_started = null",
  "the last claim before it": "last_claim = last_claim + 1000",
  "the epoch that it ended": "epoch = epoch - 1",
  "its queue's time": "at = at + 1",
};

async function stoppedLine(bench: Bench): Promise<string> {
  const queue = bench.queue<string>();
  await queue.addMany(["runs", "waits"]);
  const manual = bench.manualHandler();
  await queue.work(manual.handler, { places: 1 });
  await manual.take();
  await bench.pass(11);
  await queue.stop(KIM);
  return (await queue.stops()).items[0]?.id as string;
}

/** Every later change of a certificate is detected (G1). */
export function describeForgedCertificate(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "a stop's certificate", (it) => {
    for (const [what, change] of Object.entries(FORGERIES)) {
      it(`does not hold when somebody has changed ${what}`, async (bench) => {
        const id = await stoppedLine(bench);
        expect((await bench.andon.verifyStop(id)).holds).toBe(true);
        await bench.andon.transaction((tx) =>
          tx.query(`update andon_stops set ${change} where id = $1`, [id]),
        );
        expect(await bench.andon.verifyStop(id)).toMatchObject({ holds: false, inFeed: false });
      });
    }

    it("holds for each of several stops, whose epochs rise", async (bench) => {
      const queue = bench.queue<string>();
      const done: unknown[] = [];
      await queue.work((job) => void done.push(job.payload));
      for (const round of [1, 2, 3]) {
        await queue.stop({ ...KIM, reason: `round ${round}` });
        await bench.pass(13);
        await queue.resume(KIM);
        const { id } = await queue.add(`job ${round}`);
        await bench.passUntilState(id, "done");
      }
      const { items } = await queue.stops();
      expect(items.map((stop) => [stop.reason, stop.epoch])).toEqual([
        ["round 3", 3],
        ["round 2", 2],
        ["round 1", 1],
      ]);
      for (const { id } of items) expect((await bench.andon.verifyStop(id)).holds).toBe(true);
      expect(await queue.status()).toMatchObject({ state: "open", epoch: 4 });
    });

    it("still holds when the jobs and claims of its time are purged", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1h" } });
      await queue.work(() => {});
      await bench.passUntilState((await queue.add("before")).id, "done");
      await queue.stop(KIM);
      await queue.resume(KIM);
      await bench.passUntilState((await queue.add("after")).id, "done");
      bench.clock.jump(3_600_001);
      expect(await queue.purge()).toBe(2);
      await bench.passUntilState((await queue.add("long after")).id, "done");
      await queue.stop(KIM);
      const { items } = await queue.stops();
      expect(items).toHaveLength(2);
      for (const { id } of items) expect(await bench.andon.verifyStop(id)).toMatchObject({ holds: true });
    });
  });
}
