import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

async function orders(bench: Bench): Promise<string[]> {
  return (
    await bench.andon.transaction((tx) => tx.query<{ name: string }>("select name from orders order by name"))
  ).map((row) => row.name);
}

async function makeOrders(bench: Bench): Promise<void> {
  await bench.andon.transaction((tx) => tx.query("create table orders (name text not null)"));
}

const NO_TX = { code: "INVALID_OPTION", status: 400, details: { option: "tx" } };

/** A job and the rows it belongs to are stored together or not at all (X3). */
export function describeEnqueueInTransaction(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "enqueue in a transaction", (it) => {
    it("commits jobs together with the caller's rows", async (bench) => {
      await makeOrders(bench);
      const queue = bench.queue<string>();
      const added = await bench.andon.transaction(async (tx) => {
        await tx.query("insert into orders (name) values ($1)", ["tea"]);
        return [
          await queue.add("a", { tx, key: "k" }),
          ...(await queue.addMany(["b", "c"], { tx, key: "k" })),
        ];
      });
      expect(added.map((job) => job.seq)).toEqual([1, 2, 3]);
      expect(await orders(bench)).toEqual(["tea"]);
      expect((await queue.status()).counts).toMatchObject({ ready: 1, blocked: 2 });
    });

    it("stores nothing if the transaction is rolled back, not even its queue or its places in lanes", async (bench) => {
      await makeOrders(bench);
      const queue = bench.queue();
      let id = "";
      const failing = bench.andon.transaction(async (tx) => {
        await tx.query("insert into orders (name) values ('tea')");
        ({ id } = await queue.add("lost", { tx, key: "k", idempotencyKey: "i" }));
        await queue.add("later", { tx, delay: "1h" });
        throw new Error("no tea");
      });
      await expect(failing).rejects.toThrow("no tea");
      expect(await orders(bench)).toEqual([]);
      expect(await bench.andon.job(id)).toBeUndefined();
      expect(await bench.andon.queues()).toEqual([]);
      expect(await queue.add("kept", { key: "k" })).toMatchObject({ seq: 1 });
      expect((await queue.status()).counts).toMatchObject({ ready: 1, blocked: 0, scheduled: 0 });
    });

    it("starts a job only after the commit", async (bench) => {
      const queue = bench.queue();
      const started: unknown[] = [];
      await queue.work((job) => void started.push(job.payload));
      await bench.andon.transaction(async (tx) => {
        await queue.add("inside", { tx });
        await tx.query("select 1");
        expect(started).toEqual([]);
      });
      await bench.passUntil("the job is done", async () => (await queue.status()).counts.done === 1);
      expect(started).toEqual(["inside"]);
    });

    it("joins a transaction that the caller opened with a client of its own", async (bench) => {
      await makeOrders(bench);
      const queue = bench.queue();
      await queue.status();
      let id = "";
      await bench.place.ownTransaction(bench.url, async ({ tx, run }) => {
        await run("insert into orders (name) values ('coffee')");
        ({ id } = await queue.add("own", { tx, key: "k", idempotencyKey: "i" }));
        return "commit";
      });
      expect(await orders(bench)).toEqual(["coffee"]);
      expect(await bench.job(id)).toMatchObject({ state: "ready", seq: 1, payload: "own" });
    });

    it("is rolled back with the caller's own transaction", async (bench) => {
      await makeOrders(bench);
      const queue = bench.queue();
      let id = "";
      await bench.place.ownTransaction(bench.url, async ({ tx, run }) => {
        await run("insert into orders (name) values ('coffee')");
        ({ id } = await queue.add("own", { tx, key: "k", idempotencyKey: "i" }));
        return "rollback";
      });
      expect(await orders(bench)).toEqual([]);
      expect(await bench.andon.job(id)).toBeUndefined();
      expect(await queue.add("kept", { key: "k", idempotencyKey: "i" })).toMatchObject({
        isNew: true,
        seq: 1,
      });
    });

    it("refuses a connection on which no transaction is open, and leaves it usable", async (bench) => {
      await makeOrders(bench);
      const queue = bench.queue();
      await bench.place.ownTransaction(bench.url, async ({ tx, run }) => {
        await run("commit");
        await expect(queue.add("alone", { tx })).rejects.toMatchObject(NO_TX);
        await run("begin");
        await run("insert into orders (name) values ('coffee')");
        await queue.add("together", { tx });
        return "commit";
      });
      expect(await orders(bench)).toEqual(["coffee"]);
      expect((await queue.jobs("ready")).items.map((job) => job.payload)).toEqual(["together"]);
    });

    it("refuses a `tx` that is not a transaction, and one of another Andon", async (bench) => {
      const queue = bench.queue();
      const other = await bench.another();
      for (const tx of [null, 5, "tx", {}, { query: 5 }, []])
        await expect(queue.add("x", { tx }), JSON.stringify(tx)).rejects.toMatchObject(NO_TX);
      await other.transaction(async (tx) => {
        await expect(queue.add("x", { tx })).rejects.toMatchObject(NO_TX);
        await expect(queue.addMany(["x"], () => ({}), { tx })).rejects.toMatchObject(NO_TX);
      });
      expect((await queue.status()).counts.ready).toBe(0);
    });

    it("wakes the workers when the caller's own transaction commits", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await bench.place.ownTransaction(bench.url, async ({ tx }) => {
        await queue.add("own", { tx });
        return "commit";
      });
      expect((await manual.take()).job.payload).toBe("own");
    });

    it("refuses a transaction, and an add without `tx`, inside a transaction", async (bench) => {
      const queue = bench.queue();
      await queue.status();
      for (const nested of [
        () => bench.andon.transaction(async () => {}),
        () => queue.add("outside"),
        () => queue.add("outside", { idempotencyKey: "i" }),
        () => queue.stop({ actor: "kim" }),
      ] as (() => Promise<unknown>)[]) {
        await expect(bench.andon.transaction(nested)).rejects.toMatchObject({ code: "NESTED_TRANSACTION" });
      }
      expect(await queue.status()).toMatchObject({ state: "open", counts: { ready: 0 } });
    });

    it("ends a transaction that takes too long, and refuses calls after its end", async (bench) => {
      await makeOrders(bench);
      const queue = bench.queue();
      let late: Promise<unknown> = Promise.resolve();
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const slow = bench.store.transaction(
        "test",
        async (tx) => {
          await tx.query("insert into orders (name) values ('slow')");
          late = ended.then(() => queue.add("late", { tx }));
          late.catch(() => {});
          await late;
        },
        30,
      );
      await expect(slow).rejects.toMatchObject({ code: "TRANSACTION_TIMEOUT" });
      end();
      await expect(late).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
      expect(await orders(bench)).toEqual([]);
    });

    it("does not deadlock with itself if another caller uses the queue for the first time meanwhile", async (bench) => {
      const queue = bench.queue<string>();
      let opened = () => {};
      const isOpen = new Promise<void>((resolve) => {
        opened = resolve;
      });
      let go = () => {};
      const mayGo = new Promise<void>((resolve) => {
        go = resolve;
      });
      const inside = bench.andon.transaction(async (tx) => {
        opened();
        await mayGo;
        await queue.add("inside", { tx });
      });
      await isOpen;
      const outside = queue.add("outside");
      go();
      await inside;
      await outside;
      expect((await queue.status()).counts.ready).toBe(2);
    });
  });
}
