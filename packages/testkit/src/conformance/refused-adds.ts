import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

const circular: Record<string, unknown> = {};
circular.self = circular;

const BAD_PAYLOADS: readonly (readonly [what: string, payload: unknown])[] = [
  ["a circle", circular],
  ["a bigint", { n: 1n }],
  ["a function", () => {}],
  ["a symbol", Symbol("x")],
  ["more than a million bytes", "x".repeat(1_000_000)],
  ["more than a million bytes of UTF-8", "가".repeat(333_333)],
];

const BAD_OPTIONS: readonly (readonly [option: string, options: Record<string, unknown>])[] = [
  ["priority", { priority: 1.5 }],
  ["priority", { priority: 1_000_001 }],
  ["priority", { priority: Number.NaN }],
  ["priority", { priority: 3n }],
  ["delay", { delay: -1 }],
  ["delay", { delay: "soon" }],
  ["delay", { delay: 1e300 }],
  ["delay", { delay: 5, runAt: 5 }],
  ["runAt", { runAt: new Date("never") }],
  ["runAt", { runAt: "tomorrow" }],
  ["runAt", { runAt: 9e15 }],
  ["key", { key: "" }],
  ["key", { key: 12 }],
  ["key", { key: "a\u0000b" }],
  ["key", { key: "\ud800" }],
  ["key", { key: "x".repeat(1_001) }],
  // A thousand of these characters are more bytes than a PostgreSQL index accepts.
  [
    "key",
    {
      key: Array.from({ length: 1_000 }, (_, n) =>
        String.fromCodePoint(0xac00 + ((n * 7_919) % 11_172)),
      ).join(""),
    },
  ],
  ["keys", { keys: "abc" }],
  ["keys", { keys: ["a", ""] }],
  ["keys", { keys: ["a"], key: "b" }],
  ["keys", { keys: Array.from({ length: 101 }, (_, n) => `k${n}`) }],
  ["idempotencyKey", { idempotencyKey: "" }],
  ["tenant", { tenant: "" }],
  ["tenant", { tenant: null }],
  ["name", { name: "n".repeat(201) }],
  ["traceId", { traceId: "" }],
  ["id", { id: "job-1" }],
  ["id", { id: "0198f0a0-0000-4000-8000-000000000000" }],
];

/** Adds that are refused, with their errors, and that none of them is stored. */
export function describeRefusedAdds(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "refused adds", (it) => {
    it("refuse payloads that are not JSON and store nothing", async (bench) => {
      const queue = bench.queue();
      for (const [what, payload] of BAD_PAYLOADS) {
        await expect(queue.add(payload), what).rejects.toMatchObject({
          code: "PAYLOAD_INVALID",
          status: 400,
        });
        await expect(queue.addMany(["good", payload]), what).rejects.toMatchObject({
          code: "PAYLOAD_INVALID",
        });
      }
      expect((await queue.status()).counts.ready).toBe(0);
    });

    it("refuse invalid options by name, quote the value, and store nothing", async (bench) => {
      const queue = bench.queue();
      for (const [option, options] of BAD_OPTIONS) {
        await expect(queue.add("x", options), option).rejects.toMatchObject({
          code: "INVALID_OPTION",
          status: 400,
          details: { where: { en: "the job's options" }, option },
        });
      }
      expect((await queue.status()).counts).toMatchObject({ ready: 0, scheduled: 0 });
    });

    it("suggest the option that a mistyped one may mean", async (bench) => {
      const queue = bench.queue();
      await expect(queue.add("x", { prioritty: 1 } as never)).rejects.toMatchObject({
        code: "UNKNOWN_OPTION",
        message: 'Unknown option "prioritty" in the job\'s options. Did you mean "priority"?',
      });
      await expect(queue.add("x", { idempotencykey: "a" } as never)).rejects.toThrow(
        'Did you mean "idempotencyKey"?',
      );
      await expect(queue.add("x", { somethingElse: 1 } as never)).rejects.toThrow(
        "Known: key, keys, priority",
      );
      expect((await queue.status()).counts.ready).toBe(0);
    });

    it("refuse a whole batch if one of its jobs is invalid", async (bench) => {
      const queue = bench.queue<number>();
      const options = (n: number) => (n === 2 ? { priority: 0.5 } : {});
      await expect(queue.addMany([1, 2, 3], options)).rejects.toMatchObject({ code: "INVALID_OPTION" });
      expect((await queue.status()).counts.ready).toBe(0);
    });

    it("refuse invalid queue names, and a name that is taken", async (bench) => {
      for (const name of ["", " ", "a b", "-a", "a/b", "x".repeat(101)]) {
        expect(() => bench.andon.queue(name), name).toThrow(
          expect.objectContaining({ code: "INVALID_OPTION" }),
        );
      }
      bench.andon.queue("taken");
      expect(() => bench.andon.queue("taken")).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    });

    it("refuse everything once Andon is closed", async (bench) => {
      const other = await bench.another();
      const queue = other.queue("line");
      await queue.add(1);
      await other.close();
      await expect(queue.add(2)).rejects.toMatchObject({ code: "CLOSED", status: 503 });
      await expect(other.close()).resolves.toBeUndefined();
      expect((await bench.queue().status()).counts.ready).toBe(1);
    });
  });
}
