import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** A constraint in the database that refuses one payload: the store sees a single bad row. */
const REFUSE_POISON = {
  sqlite: `create trigger refuse_poison before insert on andon_jobs when new.payload like '%poison%'
begin select raise(abort, 'poison is refused'); end`,
  postgres: `alter table andon_jobs add constraint refuse_poison check (payload not like '%poison%')`,
};
const ALLOW_POISON = {
  sqlite: "drop trigger refuse_poison",
  postgres: "alter table andon_jobs drop constraint refuse_poison",
};

/** Adds that run at the same time share statements, without a visible effect except speed. */
export function describeGatheredAdds(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "gathered adds", (it) => {
    it("store 500 simultaneous adds exactly once, in the order of their calls", async (bench) => {
      const queue = bench.queue<number>();
      const numbers = Array.from({ length: 500 }, (_, n) => n);
      const added = await Promise.all(numbers.map((n) => queue.add(n, { key: "k" })));
      expect(new Set(added.map((job) => job.id)).size).toBe(500);
      expect(added.map((job) => job.seq)).toEqual(numbers.map((n) => n + 1));
      expect((await queue.status()).counts).toMatchObject({ ready: 1, blocked: 499 });
      const order: number[] = [];
      await queue.work((job) => void order.push(job.payload));
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 500);
      expect(order).toEqual(numbers);
    });

    it("answer each caller with its own jobs", async (bench) => {
      const queue = bench.queue<string>();
      const batches = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          queue.addMany(Array.from({ length: 1 + (n % 4) }, (_, m) => `${n}.${m}`)),
        ),
      );
      for (const [n, batch] of batches.entries())
        for (const [m, { id }] of batch.entries()) expect((await bench.job(id)).payload).toBe(`${n}.${m}`);
    });

    it("reject only the job that the database refuses", async (bench) => {
      const queue = bench.queue<string>();
      await bench.andon.transaction((tx) => tx.query(REFUSE_POISON[bench.kind.name]));
      const settled = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) =>
          queue.add(n === 13 ? "poison" : `good ${n}`, { key: `k${n % 3}` }),
        ),
      );
      await bench.andon.transaction((tx) => tx.query(ALLOW_POISON[bench.kind.name]));
      const refused = settled.flatMap((result, n) => (result.status === "rejected" ? [n] : []));
      expect(refused).toEqual([13]);
      const { counts } = await queue.status();
      expect(counts.ready + counts.blocked).toBe(29);
    });

    it("reject only the caller with invalid options", async (bench) => {
      const queue = bench.queue<number>();
      const settled = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => queue.add(n, n === 7 ? { priority: 0.5 } : {})),
      );
      expect(settled.filter((result) => result.status === "rejected")).toHaveLength(1);
      expect((await queue.status()).counts.ready).toBe(19);
    });
  });
}
