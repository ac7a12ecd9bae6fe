import { parseQueueRules, type QueueRulesInput } from "@andon/contract";
import { type Claim, systemRandom } from "@andon/engine";
import { fail, failureOf, giveBack, promote, snooze } from "@andon/engine/verbs";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const PLAIN_REQUEST = {
  queue: "line",
  worker: "w",
  done: [],
  want: 1,
  limit: null,
  serial: false,
  rate: null,
  sharing: null,
};

/** A job that the test claims and loses, so that every loss is counted. */
class Victim {
  readonly #bench: Bench;
  readonly #definition;
  id = "";

  constructor(bench: Bench, rules: QueueRulesInput) {
    this.#bench = bench;
    this.#definition = { name: "line", rules: parseQueueRules("line", rules), hooks: {} };
  }

  async claim(): Promise<Claim> {
    const { claims } = await this.#bench.store.finishAndClaim(PLAIN_REQUEST);
    expect(claims.map((claim) => claim.job.id)).toEqual([this.id]);
    return claims[0] as Claim;
  }

  async ends(how: "lost" | "handed-back" | "fails" | "snoozes"): Promise<void> {
    const { store, clock } = this.#bench;
    const claim = await this.claim();
    if (how === "fails") {
      const failure = failureOf(new Error("bad"), this.#definition.rules);
      await fail(store, this.#definition, claim, failure, systemRandom);
    } else if (how === "snoozes") await snooze(store, this.#definition, claim, 1_000);
    else return giveBack(store, this.#definition, claim, how);
    clock.jump(1_000);
    await promote(store, "line");
  }

  async state(): Promise<string> {
    return (await this.#bench.job(this.id)).state;
  }
}

async function victim(bench: Bench, maxStalled: number): Promise<Victim> {
  const rules = { maxStalled, attempts: 9, backoff: { delay: 1_000, type: "fixed" as const } };
  const made = new Victim(bench, rules);
  ({ id: made.id } = await bench.queue(rules).add("x", { key: "k" }));
  return made;
}

/** How losses in a row are counted, and what resets the count. */
export function describeStalled(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "stalled jobs", (it) => {
    it("fail with the first loss beyond the limit, and hold their lane", async (bench) => {
      const job = await victim(bench, 2);
      await job.ends("lost");
      await job.ends("lost");
      expect(await job.state()).toBe("ready");
      await job.ends("lost");
      expect(await bench.job(job.id)).toMatchObject({ state: "failed", error: { code: "STALLED" } });
      expect(await bench.andon.attempts(job.id)).toMatchObject([
        { outcome: "lost", code: null },
        { outcome: "lost", code: null },
        { outcome: "lost", code: "STALLED" },
      ]);
      const { items } = await bench.store.read.lanes({ queue: "line", held: true }, 1, 10);
      expect(items).toMatchObject([
        { key: "k", held: { kind: "failure", reason: "STALLED", jobId: job.id } },
      ]);
    });

    it("fail with the first loss if none is allowed", async (bench) => {
      const job = await victim(bench, 0);
      await job.ends("lost");
      expect(await job.state()).toBe("failed");
    });

    it("do not count hand-backs, however many", async (bench) => {
      const job = await victim(bench, 0);
      for (let n = 0; n < 4; n++) await job.ends("handed-back");
      expect(await job.state()).toBe("ready");
      expect(await bench.job(job.id)).toMatchObject({ attempts: 0 });
    });

    it("keep their count over a hand-back", async (bench) => {
      const job = await victim(bench, 1);
      await job.ends("lost");
      await job.ends("handed-back");
      await job.ends("lost");
      expect(await job.state()).toBe("failed");
    });

    for (const how of ["fails", "snoozes"] as const) {
      it(`reset the count after an attempt that ${how}`, async (bench) => {
        const job = await victim(bench, 1);
        await job.ends("lost");
        await job.ends(how);
        await job.ends("lost");
        expect(await job.state()).toBe("ready");
        await job.ends("lost");
        expect(await job.state()).toBe("failed");
      });
    }

    it("reset the count when an operator retries them", async (bench) => {
      const rules = { maxStalled: 0, attempts: 9 };
      const job = new Victim(bench, { ...rules, maxStalled: 1 });
      const queue = bench.queue(rules);
      ({ id: job.id } = await queue.add("x"));
      await job.ends("lost");
      await job.ends("lost");
      expect(await job.state()).toBe("failed");
      await queue.retry(job.id, KIM);
      await job.ends("lost");
      expect(await job.state()).toBe("ready");
    });

    it("do not count the jobs that a closing worker hands back", async (bench) => {
      const rules = { maxStalled: 0, timeout: 0 };
      const { id } = await bench.queue(rules).add("x");
      for (let n = 1; n <= 2; n++) {
        const other = await bench.another();
        await other.queue("line", rules).work(
          (_, { signal, checkpoint }) =>
            new Promise((_resolve, reject) => {
              void checkpoint({ closes: n });
              signal.addEventListener("abort", () => reject(signal.reason));
            }),
          { grace: "2s" },
        );
        await bench.reaches(id, "running");
        await bench.settled();
        const closing = other.close();
        await bench.pass(2_000);
        await closing;
        expect(await bench.job(id)).toMatchObject({ state: "ready", attempts: 0, cursor: { closes: n } });
      }
      expect((await bench.andon.attempts(id)).map((attempt) => attempt.outcome)).toEqual([
        "handed-back",
        "handed-back",
      ]);
    });
  });
}
