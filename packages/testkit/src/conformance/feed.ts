import type { FeedEvent } from "@andon/contract";
import { expect, vi } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Follows the feed, and collects its events until stopped. */
function follow(bench: Bench, options: { after?: number; queue?: string; tenant?: string } = {}) {
  const seen: FeedEvent[] = [];
  const end = new AbortController();
  const following = (async () => {
    for await (const event of bench.andon.watch({ ...options, signal: end.signal })) seen.push(event);
  })();
  return {
    seen,
    async until(what: string, look: () => boolean) {
      await bench.passUntil(what, look);
    },
    async end() {
      end.abort();
      await following;
    },
  };
}

/** The event feed: events in the order of commits, from any point on (X12). */
export function describeFeed(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "event feed", (it) => {
    it("skips the events of other queues and tenants, and misses none of its own", async (bench) => {
      const [noisy, quiet] = [bench.andon.queue<string>("noisy"), bench.andon.queue<string>("quiet")];
      const reads = vi.spyOn(bench.store.read, "events");
      const feeds = [follow(bench, { queue: "quiet" }), follow(bench, { queue: "quiet", tenant: "t" })];
      await bench.settled();
      for (let n = 0; n < 3; n++) await noisy.hold(`lane-${n}`, KIM);
      const last = await bench.store.read.lastEventId();
      await bench.pass(3_000);
      const from = () => reads.mock.calls.slice(-feeds.length).map(([after]) => after);
      expect(from()).toEqual(feeds.map(() => last));
      await quiet.stop(KIM);
      await quiet.hold("lane", KIM);
      const types = () => feeds.map(({ seen }) => seen.map(({ type }) => type));
      const wanted = [["queue.stopped", "lane.held"], ["queue.stopped"]];
      await bench.pass(3_000);
      expect(types()).toEqual(wanted);
      for (const feed of feeds) await feed.end();
    });

    it("has stops, holds, failures, decisions and progress as they commit", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 2,
        backoff: { delay: "1s" },
        onFinalFailure: "stop-queue",
      });
      const feed = follow(bench);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("bad", { key: "k" });
      const first = await manual.take();
      first.context.progress({ percent: 50 });
      await bench.pass(600);
      first.fail(new Error("one"));
      await bench.passUntilState(id, "running");
      (await manual.take()).fail(new Error("two"));
      await bench.reaches(id, "failed");
      await queue.retry(id, KIM);
      await queue.resume(KIM);
      await queue.hold("other", KIM);
      await queue.release("other", KIM);
      const types = () => feed.seen.filter((event) => event.type !== "jobs.done").map((event) => event.type);
      await feed.until("the release event arrived", () => types().includes("lane.released"));
      const told = types();
      const expected = [
        "job.progress",
        "job.retrying",
        "job.failed",
        "lane.held",
        "queue.stopped",
        "job.retried",
        "queue.resumed",
      ];
      expect(told.filter((type) => expected.includes(type)).slice(0, 7)).toEqual(expected);
      for (const event of feed.seen) {
        expect(event).toMatchObject({ id: expect.any(Number), at: expect.any(Number), queue: "line" });
      }
      const ids = feed.seen.map((event) => event.id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(feed.seen.find((event) => event.type === "job.failed")).toMatchObject({
        jobId: id,
        data: { code: "Error", message: "two", attempts: 2, policy: "stop-queue" },
      });
      await feed.end();
    });

    it("has a tenant's lane being held and released, for every kind of release", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const worker = await queue.work(() => {
        throw new Error("no");
      });
      const { id } = await queue.add("bad", { key: "k", tenant: "ann" });
      await bench.reaches(id, "failed");
      await worker.close();
      await queue.hold("k", KIM, { tenant: "ann" });
      await queue.release("k", KIM, { tenant: "ann" });
      await queue.retry(id, KIM);
      const told = (await bench.store.read.events(0, 100, { tenant: "ann" })).filter(({ type }) =>
        type.startsWith("lane."),
      );
      expect(told.map(({ type, jobId }) => [type, jobId])).toEqual([
        ["lane.held", id],
        ["lane.held", id],
        ["lane.released", id],
        ["lane.released", id],
      ]);
      expect(await bench.store.read.events(0, 100, { tenant: "bob" })).toEqual([]);
    });

    it("replays from any event on, filtered as requested", async (bench) => {
      const queue = bench.queue();
      const other = bench.andon.queue("other");
      for (const line of [queue, other, queue, other]) {
        await line.stop(KIM);
        await line.resume(KIM);
      }
      const all = await bench.store.read.events(0, 100);
      expect(all.map((event) => event.queue)).toEqual([
        "line",
        "line",
        "other",
        "other",
        "line",
        "line",
        "other",
        "other",
      ]);
      const from = all[2] as FeedEvent;
      const rest = follow(bench, { after: from.id });
      await rest.until("the remaining events arrived", () => rest.seen.length >= 5);
      expect(rest.seen).toEqual(all.slice(3));
      await rest.end();
      const line = follow(bench, { after: 0, queue: "line" });
      await line.until("all events of the queue arrived", () => line.seen.length >= 4);
      expect(line.seen).toEqual(all.filter((event) => event.queue === "line"));
      await line.end();
      const fresh = follow(bench);
      await bench.settled();
      await queue.stop(KIM);
      await fresh.until("the new events arrived", () => fresh.seen.length > 0);
      expect(fresh.seen.map((event) => event.type)).toEqual(["queue.stopped"]);
      await fresh.end();
    });

    it("sums up completions exactly, over several workers", async (bench) => {
      const queue = bench.queue<number>();
      const other = (await bench.another()).queue<number>("line");
      const feed = follow(bench, { after: 0 });
      await queue.work(() => {});
      await other.work(() => {});
      for (let round = 0; round < 4; round++) {
        await queue.addMany(Array.from({ length: 25 }, (_, n) => n));
        await bench.passUntil(
          "the round is done",
          async () => (await queue.status()).counts.done === 25 * (round + 1),
        );
        await bench.pass(1_100);
      }
      const sum = () =>
        feed.seen
          .filter((event) => event.type === "jobs.done")
          .reduce((total, event) => total + Number(event.data.done), 0);
      await feed.until("all events arrived", () => sum() >= 100);
      await bench.pass(3_000);
      expect(sum()).toBe(100);
      expect(feed.seen.length).toBeLessThan(100);
      await feed.end();
    });

    it("has nothing of a decision that was rolled back", async (bench) => {
      const queue = bench.queue<string>(
        { attempts: 1 },
        {
          hooks: {
            cancelled() {
              throw new Error("no");
            },
          },
        },
      );
      const { id } = await queue.add("x");
      await expect(queue.cancel(id, KIM)).rejects.toThrow("no");
      expect(await bench.store.read.events(0, 10)).toEqual([]);
    });

    it("is seen by another process", async (bench) => {
      const queue = bench.queue();
      const other = await bench.another();
      const end = new AbortController();
      const news = other.watch({ signal: end.signal });
      const first = news.next();
      await bench.settled();
      await queue.stop(KIM);
      let told = false;
      const heard = first.then((result) => {
        told = true;
        return result;
      });
      await bench.passUntil("the other process has the event", () => told);
      expect((await heard).value).toMatchObject({ type: "queue.stopped", queue: "line" });
      end.abort();
      await news.return();
    });
  });
}
