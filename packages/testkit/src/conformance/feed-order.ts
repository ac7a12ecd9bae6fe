import type { FeedEvent } from "@andon/contract";
import type { Andon } from "@andon/engine";
import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

function follow(andon: Andon, after: number, signal?: AbortSignal) {
  const seen: FeedEvent[] = [];
  const ended = (async () => {
    for await (const event of andon.watch({ after, signal })) seen.push(event);
  })();
  return { seen, ended };
}

/** A reader of the feed gets every event once, in the order of commits, and can stop reading. */
export function describeFeedOrder(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "order of the feed", (it) => {
    it("misses no event of three processes whose jobs fail at the same time", async (bench) => {
      const rules = { attempts: 2, backoff: { delay: "1s" }, onFinalFailure: "skip" } as const;
      const processes = [bench.andon, await bench.another(), await bench.another()];
      const queues = processes.map((andon) => andon.queue<number>("line", rules));
      const end = new AbortController();
      const watchers = processes.map((andon) => follow(andon, 0, end.signal));
      const [first] = queues as [(typeof queues)[0]];
      await first.addMany(Array.from({ length: 90 }, (_, n) => n));
      for (const queue of queues) {
        await queue.work(
          async (job) => {
            await new Promise((resolve) => setImmediate(resolve));
            if (job.payload % 3 > 0) throw new Error(`no ${job.payload}`);
          },
          { places: 15 },
        );
      }
      const rolledBack = Array.from({ length: 10 }, () =>
        bench.andon
          .transaction(async (tx) => {
            await first.add(1_000, { tx, delay: "1h" });
            throw new Error("changed my mind");
          })
          .catch(() => {}),
      );
      await Promise.all(rolledBack);
      await bench.passUntil("all have ended", async () => {
        const { done, skipped } = (await first.status()).counts;
        return done === 30 && skipped === 60;
      });
      await bench.pass(3_000);
      const all = await bench.store.read.events(0, 10_000);
      expect(all.filter((event) => event.type === "job.skipped")).toHaveLength(60);
      expect(all.filter((event) => event.type === "job.retrying")).toHaveLength(60);
      const told = all
        .filter((event) => event.type === "jobs.done")
        .map((event) => event.data.done as number);
      expect(told.reduce((sum, done) => sum + done, 0)).toBe(30);
      await bench.passUntil("every watcher has seen the last", () =>
        watchers.every(({ seen }) => seen.at(-1)?.id === all.at(-1)?.id),
      );
      for (const { seen } of watchers)
        expect(seen.map((event) => event.id)).toEqual(all.map((event) => event.id));
      end.abort();
      await Promise.all(watchers.map(({ ended }) => ended));
    });

    it("emits the last progress of an interval, and the job shows it", async (bench) => {
      const queue = bench.queue<string>();
      const { id } = await queue.add("x");
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const call = await manual.take(id);
      call.context.progress({ percent: 10 });
      call.context.progress({ percent: 40 });
      await bench.pass(500);
      call.context.progress({ percent: 70 });
      await bench.pass(500);
      const told = (await bench.store.read.events(0, 100)).filter((event) => event.type === "job.progress");
      expect(told.map((event) => [event.jobId, event.data.progress])).toEqual([
        [id, { percent: 40 }],
        [id, { percent: 70 }],
      ]);
      expect((await bench.job(id)).progress).toEqual({ percent: 70 });
    });

    it("ends at once when its watcher aborts", async (bench) => {
      const end = new AbortController();
      const { seen, ended } = follow(bench.andon, 0, end.signal);
      const queue = bench.queue();
      await queue.stop(KIM);
      await bench.passUntil("the stop is seen", () => seen.length === 1);
      end.abort();
      await ended;
      await queue.resume(KIM);
      expect(seen.map((event) => event.type)).toEqual(["queue.stopped"]);
    });

    it("ends without an error when the watcher's Andon closes", async (bench) => {
      const other = await bench.another();
      await other.queue("line").stop(KIM);
      const { seen, ended } = follow(other, 0);
      await bench.passUntil("the stop is seen", () => seen.length === 1);
      await other.close();
      await bench.pass(1_000);
      await ended;
      expect(seen).toHaveLength(1);
    });
  });
}
