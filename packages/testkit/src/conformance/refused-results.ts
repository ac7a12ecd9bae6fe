import { commit } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** A constraint in the database that refuses one result: the store sees a completion that cannot be stored. */
const REFUSE_POISON = {
  sqlite: `create trigger refuse_poison before update on andon_jobs when new.result like '%poison%'
begin select raise(abort, 'poison is refused'); end`,
  postgres: "alter table andon_jobs add constraint refuse_poison check (result not like '%poison%')",
};
const ALLOW_POISON = {
  sqlite: "drop trigger refuse_poison",
  postgres: "alter table andon_jobs drop constraint refuse_poison",
};

async function refusingPoison(bench: Bench, work: () => Promise<void>): Promise<void> {
  await bench.andon.transaction((tx) => tx.query(REFUSE_POISON[bench.kind.name]));
  await work();
  await bench.settled();
  await bench.andon.transaction((tx) => tx.query(ALLOW_POISON[bench.kind.name]));
}

/** Completions that the store refuses: the job at fault fails, and no other job waits for it. */
export function describeRefusedResults(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "refused results", (it) => {
    it("fail only the job with that result, and complete the others once", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 20 });
      const added = await queue.addMany(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => (n % 4 ? { key: `k${n}` } : {}),
      );
      const calls = await manual.takeMany(20);
      await refusingPoison(bench, async () => {
        for (const { job, context, succeed } of calls) {
          context.progress(job.payload);
          succeed(job.payload === 13 ? "poison" : job.payload);
        }
        for (const [n, { id }] of added.entries()) await bench.reaches(id, n === 13 ? "failed" : "done");
      });
      const jobs = await Promise.all(added.map(({ id }) => bench.job(id)));
      expect(jobs[13]).toMatchObject({ result: null, attempts: 1, error: { code: "RESULT_REFUSED" } });
      expect(jobs[13]?.error?.message).toMatch(/^the store refused what the handler returned: .*poison/);
      for (const { payload, progress, result, attempts } of jobs)
        if (payload !== 13) expect([progress, result, attempts]).toEqual([payload, payload, 0]);
      expect(manual.started).toHaveLength(20);
      expect((await queue.status()).counts).toMatchObject({ done: 19, failed: 1, running: 0 });
    });

    it("count as failed attempts: the job is retried", async (bench) => {
      const queue = bench.queue({ attempts: 2, backoff: { delay: "1s" } });
      await queue.work((_job, { attempt }) => (attempt === 1 ? "poison" : "good"));
      await refusingPoison(bench, async () => {
        const { id } = await queue.add("x");
        expect(await bench.reaches(id, "scheduled")).toMatchObject({ attempts: 1 });
        expect(await bench.passUntilState(id, "done")).toMatchObject({ result: "good" });
      });
    });

    it("roll back the handler's own writes", async (bench) => {
      await bench.andon.transaction((tx) => tx.query("create table payments (id text primary key)"));
      const queue = bench.queue({ attempts: 1, onFinalFailure: "skip" });
      await queue.work(() =>
        commit(async (tx) => void (await tx.query("insert into payments (id) values ('p')")), "poison"),
      );
      await refusingPoison(bench, async () => {
        const { id } = await queue.add("x");
        expect(await bench.reaches(id, "skipped")).toMatchObject({ error: { code: "RESULT_REFUSED" } });
      });
      expect(await bench.andon.transaction((tx) => tx.query("select id from payments"))).toEqual([]);
    });

    it("do not occur when many large results end together: a request has a size limit", async (bench) => {
      const queue = bench.queue<number>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 12 });
      const added = await queue.addMany(Array.from({ length: 12 }, (_, n) => n));
      const calls = await manual.takeMany(12);
      const large = "가".repeat(330_000);
      for (const call of calls) call.succeed(large);
      for (const { id } of added) expect((await bench.reaches(id, "done")).result).toHaveLength(330_000);
      const [most] = await bench.store.query<{ done: number }>(
        "select max(done) as done from andon_claim_log",
      );
      expect(most?.done).toBeLessThanOrEqual(8);
      expect(bench.errors).toEqual([]);
    });

    it("are those of more than a million bytes, whatever their number of characters", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "skip" });
      await queue.work((job) => "가".repeat(job.payload));
      const [fits, large] = await queue.addMany([333_332, 333_333]);
      expect((await bench.reaches(fits?.id as string, "done")).result).toHaveLength(333_332);
      expect((await bench.reaches(large?.id as string, "skipped")).error).toMatchObject({
        code: "RESULT_TOO_LARGE",
        message: "the handler's result is too large: 1000001 bytes, at most 1000000",
      });
    });
  });
}
