import fc from "fast-check";
import type { ModelRules } from "./line-model.ts";

const KEYS = ["a", "b", "c"] as const;

/** One action of one actor. `pick` chooses among the jobs that allow it at that moment. */
export type Move =
  | { do: "add"; keys: string[]; priority: number; later: number | null }
  | { do: "claim"; worker: string; want: number }
  | { do: "finish-and-claim"; pick: number; want: number }
  | { do: "probe"; worker: string }
  | { do: "complete" | "lose" | "completeLate"; pick: number }
  | { do: "fail"; pick: number; how: "retryable" | "fatal" | "sick" }
  | { do: "snooze"; pick: number; ms: number }
  /** `ms`: until it expires; `early`: its event has already arrived. */
  | { do: "park"; pick: number; ms: number | null; early: boolean }
  | { do: "arrive"; pick: number }
  | { do: "cancel" | "retry" | "skip" | "runNow"; pick: number }
  | { do: "retryAll" | "skipAllAndResume" | "stop" | "resume" }
  | { do: "hold" | "release" | "cancelRest"; key: string }
  | { do: "pass"; ms: number };

const pick = fc.nat({ max: 30 });
const key = fc.constantFrom(...KEYS);
const worker = fc.constantFrom("w1", "w2");
const keys = fc.uniqueArray(key, { maxLength: 2 });

/** Work is more frequent than decisions; otherwise no sequence would get far. */
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("add" as const),
      keys,
      priority: fc.constantFrom(0, 0, 1),
      later: fc.constantFrom(null, null, null, 700),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("claim" as const), worker, want: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("finish-and-claim" as const),
      pick,
      want: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("probe" as const), worker }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("complete" as const), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("fail" as const),
      pick,
      how: fc.constantFrom("retryable" as const, "retryable" as const, "fatal" as const, "sick" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("snooze" as const), pick, ms: fc.constant(400) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("park" as const),
      pick,
      ms: fc.constantFrom(null, 500),
      early: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("arrive" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("lose" as const, "completeLate" as const), pick }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("cancel" as const, "retry" as const, "skip" as const, "runNow" as const),
      pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "retryAll" as const,
        "skipAllAndResume" as const,
        "stop" as const,
        "resume" as const,
        "resume" as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("hold" as const, "release" as const, "release" as const, "cancelRest" as const),
      key,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(300, 1_000) }) },
);

export const moves: fc.Arbitrary<Move[]> = fc.array(move, { minLength: 5, maxLength: 40, size: "max" });

export const rules: fc.Arbitrary<ModelRules> = fc
  .record({
    serial: fc.constantFrom(false, false, true),
    limit: fc.constantFrom(null, null, 2),
    attempts: fc.integer({ min: 1, max: 3 }),
    maxStalled: fc.constantFrom(0, 1, 5),
    backoff: fc.constant(1_000),
    policy: fc.constantFrom(
      "stop-queue" as const,
      "hold-lane" as const,
      "cancel-rest" as const,
      "skip" as const,
      "auto" as const,
    ),
  })
  .map((drawn) => ({ ...drawn, limit: drawn.serial ? 1 : drawn.limit }));
