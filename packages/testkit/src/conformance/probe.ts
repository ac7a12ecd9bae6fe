import { DestinationDown, type Queue } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const BACKOFF = { delay: "1s", type: "fixed" } as const;

/** A destination that is down or up, and a line of jobs that all need it. */
class Outage {
  readonly starts: number[] = [];
  error: unknown = new DestinationDown("no route to the share");
  readonly queue: Queue<number>;
  ids: string[] = [];

  constructor(queue: Queue<number>) {
    this.queue = queue;
  }

  static async of(bench: Bench, jobs: number, places: number, queue: Queue<number>): Promise<Outage> {
    const outage = new Outage(queue);
    const added = await queue.addMany(
      Array.from({ length: jobs }, (_, n) => n),
      (n) => ({ key: `file-${n}` }),
    );
    outage.ids = added.map((job) => job.id);
    await queue.work(outage.handler, { places });
    await bench.passUntil("the queue is degraded", async () => (await queue.status()).state === "degraded");
    await bench.settled();
    return outage;
  }

  readonly handler = (job: { payload: number }) => {
    this.starts.push(job.payload);
    if (this.error) throw this.error;
  };

  /** The payload of the probe. */
  async probe(): Promise<number | undefined> {
    const { probeJobId } = await this.queue.status();
    return probeJobId === null ? undefined : this.ids.indexOf(probeJobId);
  }
}

/** An outage of the destination costs one job's attempts, not those of all (D3). */
export function describeProbe(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "the probe of a degraded queue", (it) => {
    it("charges an outage during thirty jobs to one of them, and leaves the others at their places", async (bench) => {
      const outage = await Outage.of(bench, 30, 5, bench.queue({ attempts: 6, backoff: BACKOFF }));
      const { queue, ids } = outage;
      const behind = await queue.add(100, { key: "file-0" });
      expect(outage.starts).toEqual([0, 1, 2, 3, 4]);
      const probe = (await outage.probe()) as number;
      expect((await queue.status()).counts).toMatchObject({
        scheduled: 1,
        ready: 29,
        blocked: 1,
        running: 0,
      });
      for (const [n, id] of ids.entries()) {
        const { attempts, state } = await bench.job(id);
        expect([n, attempts, state]).toEqual([n, n === probe ? 1 : 0, n === probe ? "scheduled" : "ready"]);
        const outcomes = (await bench.andon.attempts(id)).map((attempt) => attempt.outcome);
        expect(outcomes).toEqual(n >= 5 ? [] : [n === probe ? "failed" : "uncharged"]);
      }
      outage.error = undefined;
      await bench.passUntil("all is done", async () => (await queue.status()).counts.done === 31);
      const others = outage.starts.slice(6, 35);
      expect(outage.starts[5]).toBe(probe);
      expect(others.filter((n) => n !== 100)).toEqual(
        [...others].filter((n) => n !== 100).sort((a, b) => a - b),
      );
      expect((await bench.job(behind.id)).attempts).toBe(0);
    });

    it("claims nothing but the probe, at the end of each back-off and not before", async (bench) => {
      const outage = await Outage.of(
        bench,
        8,
        3,
        bench.queue({ attempts: 6, backoff: { delay: "2s", type: "exponential" } }),
      );
      const probe = (await outage.probe()) as number;
      const id = outage.ids[probe] as string;
      for (const [failures, wait] of [2_000, 4_000, 8_000].entries()) {
        expect((await bench.job(id)).attempts).toBe(failures + 1);
        await bench.pass(wait - 1);
        expect(outage.starts).toHaveLength(3 + failures);
        await bench.pass(1);
        expect(outage.starts.slice(3)).toEqual(Array(failures + 1).fill(probe));
      }
    });

    it("opens the queue when the probe succeeds", async (bench) => {
      const outage = await Outage.of(bench, 6, 2, bench.queue({ attempts: 6, backoff: BACKOFF }));
      outage.error = undefined;
      await bench.pass(1_000);
      expect((await outage.queue.status()).counts.done).toBe(6);
      expect(await outage.queue.status()).toMatchObject({
        state: "open",
        probeJobId: null,
        degradedAt: null,
      });
    });

    it("stops the queue with a certificate when the probe's last attempt fails", async (bench) => {
      const outage = await Outage.of(bench, 10, 4, bench.queue({ attempts: 3, backoff: BACKOFF }));
      const { queue, ids } = outage;
      const id = ids[(await outage.probe()) as number] as string;
      await bench.passUntilState(id, "failed");
      expect(await bench.job(id)).toMatchObject({ attempts: 3, error: { code: "DestinationDown" } });
      expect(await queue.status()).toMatchObject({
        state: "stopped",
        stopJobId: id,
        probeJobId: null,
        degradedAt: null,
      });
      const [stop] = (await queue.stops()).items;
      expect(stop).toMatchObject({ kind: "failure", jobId: id, error: { code: "DestinationDown" } });
      expect((await bench.andon.verifyStop(stop?.id as string)).holds).toBe(true);
      for (const other of ids) if (other !== id) expect((await bench.job(other)).attempts).toBe(0);
      const starts = outage.starts.length;
      outage.error = undefined;
      await bench.pass(60_000);
      expect(outage.starts).toHaveLength(starts);
      await queue.retry(id, KIM);
      await queue.resume(KIM);
      await bench.passUntil("all is done", async () => (await queue.status()).counts.done === 10);
    });

    it("makes the next job the probe if a final failure does not stop the queue", async (bench) => {
      const rules = { attempts: 2, backoff: BACKOFF, onFinalFailure: "hold-lane" } as const;
      const outage = await Outage.of(bench, 4, 1, bench.queue(rules));
      await bench.passUntilState(outage.ids[0] as string, "failed");
      expect((await outage.queue.status()).state).toBe("degraded");
      expect(await outage.probe()).toBe(1);
      await bench.passUntil(
        "every job was the probe",
        async () => (await outage.queue.status()).counts.failed === 4,
      );
      expect(outage.starts).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
      expect((await outage.queue.status()).state).toBe("open");
    });

    it("opens the queue when the probe fails by its own fault, and charges the attempt", async (bench) => {
      const outage = await Outage.of(bench, 5, 1, bench.queue({ attempts: 6, backoff: BACKOFF }));
      const [first] = outage.ids as [string];
      outage.error = new Error("bad file");
      await bench.pass(999);
      expect(outage.starts).toEqual([0]);
      await bench.pass(1);
      expect((await outage.queue.status()).state).toBe("open");
      expect(await bench.job(first)).toMatchObject({ state: "scheduled", attempts: 2 });
      expect(outage.starts).toEqual([0, 0, 1, 2, 3, 4]);
    });

    it("opens the queue when the probe's own fault is its final failure", async (bench) => {
      const outage = await Outage.of(bench, 3, 1, bench.queue({ attempts: 2, backoff: BACKOFF }));
      const [first] = outage.ids as [string];
      const behind = await outage.queue.add(9, { key: "file-0" });
      outage.error = new Error("bad file");
      await bench.passUntilState(first, "failed");
      outage.error = undefined;
      expect((await outage.queue.status()).state).toBe("open");
      expect((await bench.job(behind.id)).state).toBe("blocked");
      expect((await outage.queue.stops()).total).toBe(0);
      expect((await outage.queue.lanes({ held: true })).items).toMatchObject([{ key: "file-0" }]);
    });

    it("is opened by an operator who resumes it", async (bench) => {
      const outage = await Outage.of(bench, 5, 2, bench.queue({ attempts: 6, backoff: BACKOFF }));
      outage.error = undefined;
      expect(await outage.queue.resume(KIM)).toMatchObject({ changed: true });
      await bench.settled();
      await bench.passUntil("the others run", () => outage.starts.length >= 6, 999);
      expect((await outage.queue.status()).state).toBe("open");
      await bench.passUntil("all is done", async () => (await outage.queue.status()).counts.done === 5);
    });

    it("passes timeouts to the classifier", async (bench) => {
      const queue = bench.queue<number>({
        timeout: "3s",
        classify: ({ code }) => (code === "TIMEOUT" ? "destination" : "job"),
      });
      const added = await queue.addMany([1, 2, 3]);
      await queue.work(
        (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
        {
          places: 3,
        },
      );
      await bench.settled();
      await bench.pass(3_000);
      const jobs = await Promise.all(added.map(({ id }) => bench.job(id)));
      expect(jobs.map((job) => job.attempts).sort()).toEqual([0, 0, 1]);
      expect((await queue.status()).state).toBe("degraded");
      const attempts = await Promise.all(added.map(({ id }) => bench.andon.attempts(id)));
      expect(attempts.flat().map((attempt) => attempt.code)).toEqual(["TIMEOUT", "TIMEOUT", "TIMEOUT"]);
    });

    it("does not exist if the queue's rules disable it", async (bench) => {
      const queue = bench.queue<number>({ probe: false, attempts: 6, backoff: BACKOFF });
      await queue.addMany([1, 2, 3]);
      await queue.work(() => {
        throw new DestinationDown("no route to the share");
      });
      await bench.passUntil("each has failed", async () => (await queue.status()).counts.scheduled === 3);
      expect((await queue.status()).state).toBe("open");
      const waiting = (await queue.jobs("scheduled")).items.map((job) => job.attempts);
      expect(waiting).toEqual([1, 1, 1]);
    });
  });
}
