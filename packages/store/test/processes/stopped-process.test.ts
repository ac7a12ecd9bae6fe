import { type Errand, KINDS, type Member, Site } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";

/*
 * A process is stopped (SIGSTOP) for longer than its lease while it runs jobs, another one takes and finishes them, and
 * the first one continues (SIGCONT). None of its later writes may count.
 */
/** Long enough that a busy machine's worker does not lose its lease. */
const rules = { lease: 2_500, sweep: 500 };

/** Kinds of late writes. A blocked process notices its pause only after it has written. */
const WAYS: Record<string, Omit<Errand, "n">> = {
  "a result after the pause": { ms: 2_000 },
  "a result": { block: 400 },
  "writes of its own": { block: 400, writes: true },
  "a checkpoint": { block: 400, lateCheckpoint: true },
  "a failure": { block: 400, failures: 9 },
  "a final failure": { block: 400, final: true },
};

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: all writes of a worker after it lost its lease are refused",
  { timeout: 60_000 },
  async (kind) => {
    const place = await Site.open(kind);
    site = place;
    const queue = "late";
    const [late, other] = (await place.spawn(2)) as [Member, Member];
    await late.ask({ do: "work", queue, rules });
    const jobs = Object.entries(WAYS).map(([way, errand], n) => ({
      payload: { n, ...errand },
      options: { key: way },
    }));
    const added = await late.ask<{ id: string }[]>({ do: "add", queue, jobs });
    for (const started of jobs.keys())
      await place.entry(({ what, pid, n }) => what === "start" && pid === late.pid && n === started, "start");
    late.signal("SIGSTOP");

    await other.ask({ do: "work", queue, rules, quick: true });
    await place.drained(queue, jobs.length);
    await other.ask({ do: "leave", queue });
    const before = await facts(place, added);
    for (const { job, attempts } of before) {
      expect(job).toMatchObject({ state: "done", result: { by: other.pid }, attempts: 0, error: null });
      expect(attempts.map(({ outcome }) => outcome)).toEqual(["lost"]);
    }

    late.signal("SIGCONT");
    await place.entry(
      ({ pid, what, n }) => pid === late.pid && what === "end" && n === 0,
      "last one settled",
    );
    // It works again: no other worker could do this job.
    await late.ask({ do: "add", queue, jobs: [{ payload: { n: 100 } }] });
    await place.drained(queue, jobs.length + 1);

    expect(await facts(place, added)).toEqual(before);
    const told = place.ledger.read(queue).filter(({ pid }) => pid === late.pid);
    const saidOf = (n: number) => told.filter((entry) => entry.n === n).map(({ what }) => what);
    expect(told.filter(({ what }) => what === "aborted").map(({ detail }) => detail)).toContain("lost");
    expect(saidOf(0)).toEqual(["start", "aborted", "end"]);
    expect(saidOf(3)).toContain("refused");
    expect(saidOf(4)).toContain("threw");
    expect(told.find(({ what }) => what === "refused")?.detail).toBe("CLAIM_LOST");
    const written = await place.query<{ pid: number }>("select pid from andon_test_effects");
    expect(written).toEqual([{ pid: other.pid }]);
    expect((await place.andon.store.read.queue(queue))?.state).toBe("open");
  },
);

/** On SQLite a process that is stopped while it writes keeps the file locked; nothing can be done about that. */
test("postgres: a process that is stopped inside a transaction does not keep its locks", {
  timeout: 60_000,
}, async () => {
  const place = await Site.open("postgres");
  site = place;
  const queue = "lingering";
  const [late, other] = (await place.spawn(2)) as [Member, Member];
  await other.ask({ do: "work", queue });
  await late.ask({ do: "linger", queue, key: "k" });
  await place.entry(({ what, pid }) => what === "step" && pid === late.pid, "the lane is locked");
  late.signal("SIGSTOP");
  await other.ask({ do: "add", queue, jobs: [{ payload: { n: 1 }, options: { key: "k" } }] });
  await place.drained(queue, 1);
  late.signal("SIGCONT");
  // Its transaction was ended with its connection; the process continues, and uses another connection once it has
  // noticed.
  const again = { do: "add" as const, queue, jobs: [{ payload: { n: 2 }, options: { key: "k" } }] };
  const isUsable = () =>
    late.ask(again).then(
      () => true,
      (error: Error) => {
        if (!error.message.startsWith("failed for now")) throw error;
        return false;
      },
    );
  await place.until("it adds again", isUsable);
  await place.drained(queue, 2);
});

async function facts(place: Site, added: { id: string }[]) {
  return Promise.all(
    added.map(async ({ id }) => ({
      job: await place.andon.job(id),
      attempts: await place.andon.attempts(id),
    })),
  );
}
