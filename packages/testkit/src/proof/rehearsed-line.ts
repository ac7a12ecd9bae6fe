import type { RehearsalQuestions } from "@andon/contract";
import type { Andon } from "@andon/engine";
import { type SeededRandom, seeded } from "../processes/seeded.ts";

interface Work {
  readonly n: number;
  /** How many of its attempts fail before one succeeds. */
  readonly failures: number;
}

const KIM = { actor: "kim", reason: "rehearsed" } as const;
const REHEARSED = 20;

/**
 * A random stopped line is rehearsed, and then resumed: the jobs that start, and how they end, are compared with the
 * rehearsal. Returns the differences.
 */
export async function rehearsedLine(andon: Andon, seed: number): Promise<string[]> {
  const random = seeded(seed);
  const isSerial = random.below(3) === 0;
  const retryFailed = random.below(2) === 0;
  const tried = new Map<number, number>();
  const willFail = ({ n, failures }: Work) => (tried.get(n) ?? 0) < failures;
  const rehearse: RehearsalQuestions = {
    destination: async () => null,
    check: async (job) => [{ name: "will-pass", ok: !willFail(job.payload as Work), detail: null }],
  };
  const rules = isSerial
    ? ({ mode: "serial", attempts: 1 } as const)
    : ({ attempts: 1, onFinalFailure: "hold-lane", probe: false } as const);
  const line = andon.queue<Work>(`rehearsed-${seed}`, rules, { rehearse });
  const started: { id: string; ok: boolean }[] = [];
  const handler = (job: { id: string; payload: Work }) => {
    const ok = !willFail(job.payload);
    started.push({ id: job.id, ok });
    tried.set(job.payload.n, (tried.get(job.payload.n) ?? 0) + 1);
    if (!ok) throw new Error("broken");
  };
  await line.stop(KIM);
  await addSome(line, random, 0, isSerial);
  await failSome(line, handler, random);
  await line.stop(KIM);
  await addSome(line, random, 100, isSerial);

  const { next } = await line.rehearse({ limit: REHEARSED, retryFailed });
  if (retryFailed) await line.retryAll(KIM);
  const before = started.length;
  await line.resume(KIM);
  const worker = await line.work(handler, { places: 1 });
  await line.drained();
  await worker.close();
  return differences(
    next.map(({ job, checks }) => ({ id: job.id, ok: checks.every(({ ok }) => ok) })),
    started.slice(before),
    andon.store.parallelRequests === 1,
  );
}

type Line = ReturnType<Andon["queue"]>;

async function addSome(line: Line, random: SeededRandom, from: number, isSerial: boolean): Promise<void> {
  const works = Array.from({ length: 3 + random.below(12) }, (_, index) => ({
    n: from + index,
    failures: random.below(5) === 0 ? 1 + random.below(2) : 0,
  }));
  await line.addMany(works, () => {
    if (isSerial) return {};
    const keys = [`k${random.below(4)}`, `k${random.below(4)}`].slice(0, random.below(3));
    return { keys: [...new Set(keys)], priority: random.below(3) };
  });
}

/** Lets the line run until a job fails, or all are done. */
async function failSome(line: Line, handler: (job: never) => void, random: SeededRandom): Promise<void> {
  if (random.below(3) === 0) return;
  await line.resume(KIM);
  const worker = await line.work(handler as never, { places: 1 });
  await line.drained();
  await worker.close();
}

/**
 * Compares up to the first failure: what follows depends on it. With one writer the order is exact; with several, a job
 * that another lets through may start one claim later, but every job must end as predicted.
 */
function differences(
  told: readonly { id: string; ok: boolean }[],
  happened: readonly { id: string; ok: boolean }[],
  isExact: boolean,
): string[] {
  const firstFailure = told.findIndex(({ ok }) => !ok);
  const certain = firstFailure < 0 ? told : told.slice(0, firstFailure + 1);
  const shown = (list: typeof told) => list.map(({ id, ok }) => `${id.slice(-4)}${ok ? "" : "!"}`).join(" ");
  const sameAt = ({ id, ok }: (typeof told)[0], index: number) => {
    const found = isExact || index === 0 ? happened[index] : happened.find((each) => each.id === id);
    return found?.id === id && found.ok === ok;
  };
  const isComplete = firstFailure >= 0 || told.length === REHEARSED || happened.length === told.length;
  if (certain.every(sameAt) && isComplete) return [];
  return [`it was to be ${shown(certain)}, and was ${shown(happened)}`];
}
