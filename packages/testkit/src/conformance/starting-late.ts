import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** After Andon is closed nothing continues, whatever was just starting. */
export function describeStartingLate(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "starting while Andon closes", (it) => {
    for (const known of [false, true])
      it(`refuses a worker of a queue that is ${known ? "known" : "not there yet"}`, async (bench) => {
        const other = await bench.another();
        const queue = other.queue("line");
        if (known) await queue.status();
        const starting = queue.work(() => {});
        starting.catch(() => {});
        await other.close();
        await expect(starting).rejects.toMatchObject({ code: "CLOSED" });
        await bench.pass(5_000);
        expect(bench.errors).toEqual([]);
        expect(await bench.andon.workers()).toEqual([]);
      });

    it("waits for a worker that is just starting, and stops it", async (bench) => {
      const other = await bench.another();
      const queue = other.queue("line");
      await queue.status();
      const starting = queue.work(() => {});
      // The queue exists: after this turn of the event loop the worker is registering itself.
      await new Promise((resolve) => process.nextTick(resolve));
      await other.close();
      await starting;
      await bench.pass(5_000);
      expect(bench.errors).toEqual([]);
      expect(await bench.andon.workers()).toEqual([]);
    });
  });
}
