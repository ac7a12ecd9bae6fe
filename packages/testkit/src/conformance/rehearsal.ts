import type { RehearsalQuestions } from "@andon/contract";
import { Andon } from "@andon/engine";
import { openStore } from "@andon/store";
import { expect } from "vitest";
import { rehearsedLine } from "../proof/rehearsed-line.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const AWAY: RehearsalQuestions = {
  destination: async ({ language }) => (language === "ko" ? "자리에 없습니다" : "it is away"),
};
const RANDOM_LINES = 25;

/** The expected outcome of a resume, before it is done. */
export function describeRehearsal(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "rehearsal", (it) => {
    it("shows the next jobs in the order of the line, and changes nothing", async (bench) => {
      const queue = bench.queue<string>();
      await queue.stop(KIM);
      const options = (name: string) => ({ key: name[0] as string, priority: name === "c1" ? 5 : 0 });
      await queue.addMany(["a1", "a2", "b1", "c1", "b2"], options);
      await queue.addMany(["d1", "d2"], (name) => ({ keys: [name[0] as string, "b"] }));
      const before = await contents(bench);
      const { destination, next, estimatedMs } = await queue.rehearse({ limit: 6 });
      expect(await contents(bench)).toEqual(before);
      expect(destination).toEqual({ ok: null, latencyMs: null, problem: null });
      expect(next.map(({ job }) => job.payload)).toEqual(["c1", "a1", "a2", "b1", "b2", "d1"]);
      expect(next.every(({ checks }) => checks.length === 0)).toBe(true);
      expect(estimatedMs).toBeNull();
    });

    it("skips a held lane, unless the job that holds it is retried first", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane", probe: false });
      const worker = await queue.work((job) => {
        if (job.payload === "a1") throw new Error("broken");
      });
      const { id } = await queue.add("a1", { key: "a" });
      await bench.passUntilState(id, "failed");
      await queue.stop(KIM);
      await queue.addMany(["a2", "b1"], (name) => ({ key: name[0] as string }));
      await worker.close();
      const names = async (retryFailed: boolean) =>
        (await queue.rehearse({ retryFailed })).next.map(({ job }) => job.payload);
      expect(await names(false)).toEqual(["b1"]);
      expect(await names(true)).toEqual(["a1", "a2", "b1"]);
    });

    it("predicts that every job fails again while the destination is away, and does not prevent the resume", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "stop-queue" }, { rehearse: AWAY });
      let isAway = true;
      await queue.work(() => {
        if (isAway) throw new Error("away");
      });
      const [first] = await queue.addMany([1, 2]);
      const id = first?.id as string;
      await bench.passUntilState(id, "failed");
      const { destination, next } = await queue.rehearse({ retryFailed: true });
      expect(destination).toMatchObject({ ok: false, problem: "it is away" });
      expect(next.map(({ job }) => job.payload)).toEqual([1, 2]);
      const again = { name: "destination", ok: false, detail: "It will fail again: it is away" };
      for (const { checks } of next) expect(checks).toEqual([again]);
      const korean = await queue.rehearse({ retryFailed: true, language: "ko" });
      expect(korean.next[0]?.checks[0]?.detail).toBe("다시 실패합니다: 자리에 없습니다");
      isAway = false;
      await queue.retryAll(KIM);
      await queue.resume(KIM);
      await bench.passUntilState(id, "done");
    });

    it("counts a question that throws as a no, and asks about the jobs in order", async (bench) => {
      const seen: unknown[] = [];
      const rehearse: RehearsalQuestions = {
        destination: async () => null,
        check: async (job, { before }) => {
          seen.push(before.map(({ payload }) => payload));
          if (job.payload === 2) throw new Error("no idea");
          return [{ name: "free", ok: true, detail: null }];
        },
      };
      const queue = bench.queue<number>({}, { rehearse });
      await queue.stop(KIM);
      await queue.addMany([1, 2]);
      const { destination, next } = await queue.rehearse();
      expect(destination).toMatchObject({ ok: true, problem: null });
      expect(destination.latencyMs).toBeGreaterThanOrEqual(0);
      expect(next.map(({ checks }) => checks)).toEqual([
        [{ name: "free", ok: true, detail: null }],
        [{ name: "check", ok: false, detail: "no idea" }],
      ]);
      expect(seen).toEqual([[], [1]]);
    });

    it("estimates the time to empty from the pace that the queue had", async (bench) => {
      const queue = bench.queue<number>();
      expect((await queue.rehearse()).estimatedMs).toBe(0);
      const worker = await queue.work(() => undefined);
      await queue.addMany(Array.from({ length: 30 }, (_, n) => n));
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 30);
      await worker.close();
      await queue.stop(KIM);
      bench.clock.jump(5 * 60_000);
      await queue.addMany(Array.from({ length: 60 }, (_, n) => n));
      expect((await queue.rehearse()).estimatedMs).toBe(120_000);
    });

    it("refuses an invalid number of jobs", async (bench) => {
      const queue = bench.queue<number>();
      for (const limit of [0, 51, 1.5])
        await expect(queue.rehearse({ limit })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    });

    it("predicts what then happens, in random lines", async (bench) => {
      // These lines use real time, so their clock is the machine's.
      const andon = new Andon(await openStore(bench.url));
      try {
        for (let seed = 1; seed <= RANDOM_LINES; seed++)
          expect(await rehearsedLine(andon, seed), `seed ${seed}`).toEqual([]);
      } finally {
        await andon.close();
      }
    });
  });
}

/** Every row of every Andon table. */
async function contents({ kind, store }: Bench): Promise<Record<string, unknown[]>> {
  const tables = await store.query<{ name: string }>(
    kind.name === "sqlite"
      ? "select name from sqlite_master where type = 'table' and name like 'andon_%' order by name"
      : "select tablename as name from pg_tables where schemaname = current_schema() and tablename like 'andon_%' order by tablename",
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) found[name] = await store.query(`select * from ${name} order by 1`);
  return found;
}
