import { JOB_STATES, parseQueueRules, type Scope, type Why } from "@andon/contract";
import { type Claim, DestinationDown, Park, Snooze, WHY_SENTENCES } from "@andon/engine";
import { giveBack, postpone } from "@andon/engine/verbs";
import { expect } from "vitest";
import { BulkSource, walkingAt } from "./bulk-source.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";
import { ENDING_RULES, jobInState } from "./job-in-state.ts";

const NORTH = { tenant: "acme", organization: "north" } as const;

/** The rules that the tests below have seen, per store. */
const seen = new Map<string, Set<string>>();

/** Asks why, and checks that the answer has all facts of its sentences in both languages. */
async function ask(bench: Bench, id: string, scope?: Scope): Promise<Why> {
  const why = await bench.andon.why(id, scope);
  const rules = seen.get(bench.kind.name) ?? new Set();
  seen.set(bench.kind.name, rules.add(why.rule));
  const templates = WHY_SENTENCES[why.rule];
  expect(templates, why.rule).toBeDefined();
  for (const language of ["en", "ko"] as const) {
    expect(why[language]).not.toMatch(/[{}|]|undefined|null|NaN|\[object/);
    for (const [, name] of (templates?.[language] ?? "").matchAll(/\{(\w+)(?:\|time)?\}/g)) {
      expect(why.facts[name as string] ?? undefined, `${why.rule}: ${name}`).toBeDefined();
    }
  }
  expect(why).toMatchObject({ jobId: id, state: (await bench.job(id)).state });
  return why;
}

/** "Why is it not running?", for every state and every cause (G2). */
export function describeWhy(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "why", (it) => {
    it("explains every state", async (bench) => {
      const queue = bench.queue(ENDING_RULES);
      const expected: Record<(typeof JOB_STATES)[number], string> = {
        scheduled: "job.scheduled",
        blocked: "lane.behind",
        ready: "queue.no-worker",
        running: "job.running",
        parked: "job.parked",
        done: "job.done",
        failed: "job.failed",
        cancelled: "job.cancelled",
        skipped: "job.skipped",
        resolved: "job.resolved",
        aborted: "job.aborted",
      };
      for (const state of JOB_STATES) {
        const id = await jobInState(bench, queue, state);
        expect((await ask(bench, id)).rule).toBe(expected[state]);
      }
      await expect(bench.andon.why("nobody")).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
    });

    it("distinguishes a back-off from a snooze, with the time and the error", async (bench) => {
      const queue = bench.queue<string>();
      await queue.work((job) => {
        throw job.payload === "snooze"
          ? new Snooze(60_000)
          : Object.assign(new Error("no route"), { code: "EHOSTUNREACH" });
      });
      const [failing, snoozing] = await queue.addMany(["fail", "snooze"]);
      const due = new Date(
        (await bench.reaches(failing?.id as string, "scheduled")).runAt as number,
      ).toISOString();
      const why = await ask(bench, failing?.id as string);
      expect(why).toMatchObject({ rule: "job.backoff", facts: { attempts: 1, code: "EHOSTUNREACH" } });
      expect(why.en).toBe(
        `Attempt 1 failed (EHOSTUNREACH: no route). The next attempt is at ${due}; the job keeps its place.`,
      );
      expect(why.ko).toContain(`1번째 시도가 실패했습니다(EHOSTUNREACH: no route). ${due}`);
      await bench.reaches(snoozing?.id as string, "scheduled");
      expect((await ask(bench, snoozing?.id as string)).rule).toBe("job.snoozed");
    });

    it("explains a job that runs separately because its workers died", async (bench) => {
      const rules = { maxStalled: 1 };
      const { id } = await bench.queue(rules).add("x");
      const line = { name: "line", rules: parseQueueRules("line", rules), hooks: {} };
      const request = { queue: "line", worker: "w", done: [], want: 1, limit: null, serial: false };
      const claim = async () =>
        (await bench.store.finishAndClaim({ ...request, rate: null, sharing: null })).claims[0] as Claim;
      await giveBack(bench.store, line, await claim(), "lost");
      await postpone(bench.store, line, await claim(), 1_000);
      expect(await ask(bench, id)).toMatchObject({
        rule: "job.suspect",
        en: "Its worker died 1 time in a row, so it waits for a worker that runs nothing else; it keeps its place.",
        ko: "작업하던 워커가 연달아 1번 죽었으므로, 다른 작업을 하지 않는 워커가 있을 때까지 기다립니다. 순서는 유지됩니다.",
      });
    });

    it("gives the pace of a bulk job, and what slows it down", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      source.inWrite = ([first]) => {
        if (first === 11) bench.clock.jump(200);
      };
      const { id, letGo } = await walkingAt(bench, queue, source, 10, { maxCommitMs: 20 });
      expect(await ask(bench, id)).toMatchObject({
        rule: "job.walking",
        facts: { processed: 10, total: 100 },
      });
      await queue.throttle(id, { maxPerSecond: 50 }, KIM);
      expect(await ask(bench, id)).toMatchObject({
        rule: "job.throttled",
        facts: { perSecond: 50, pause: 0 },
      });
      letGo();
      await bench.passUntil("the slow chunk", async () => (await queue.bulkState(id))?.processed === 20);
      expect(await ask(bench, id)).toMatchObject({ rule: "job.slowed", facts: { limit: 20 } });
      const { id: other } = await queue.add("other");
      source.beforeRead = () => new Promise(() => {});
      await queue.work(source.handler());
      await bench.reaches(other, "running");
      await queue.abort(other, KIM);
      expect((await ask(bench, other)).en).toContain("kim asked to abort it at");
    });

    it("names the job ahead in the lane, and who holds the lane", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [first, , third] = await queue.addMany(["1", "2", "3"], { key: "k" });
      const call = await manual.take();
      expect(await ask(bench, third?.id as string)).toMatchObject({
        rule: "lane.behind",
        facts: { key: "k", ahead: 2, headJob: first?.id, headState: "running" },
      });
      call.fail(Object.assign(new Error("no"), { code: "NOPE" }));
      await bench.reaches(first?.id as string, "failed");
      expect(await ask(bench, third?.id as string)).toMatchObject({
        rule: "lane.held-by-failure",
        facts: { key: "k", failedJob: first?.id, reason: "NOPE" },
      });
      const other = await queue.add("other", { key: "held" });
      (await manual.take(other.id)).succeed();
      await queue.hold("held", KIM);
      const behind = await queue.add("behind", { key: "held" });
      expect(await ask(bench, behind.id)).toMatchObject({
        rule: "lane.held-by-hand",
        facts: { key: "held", by: "kim", reason: "looked into it" },
      });
    });

    it("says that the queue is stopped, by whom and why", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 1,
        onFinalFailure: "stop-queue",
        stopReason: "NAS_SYNC_FAILED",
      });
      const { id } = await queue.add("waits", { priority: -1 });
      await queue.stop(KIM);
      const byHand = await ask(bench, id);
      expect(byHand).toMatchObject({
        rule: "queue.stopped-by-hand",
        facts: { by: "kim", reason: "looked into it" },
      });
      await queue.resume(KIM);
      const manual = bench.manualHandler();
      const bad = await queue.add("bad");
      await bench.pass(60);
      await queue.work(manual.handler, { places: 1 });
      (await manual.take(bad.id)).fail(new Error("no"));
      await bench.reaches(bad.id, "failed");
      expect(await ask(bench, id)).toMatchObject({
        rule: "queue.stopped-by-failure",
        facts: { queue: "line", failedJob: bad.id, reason: "NAS_SYNC_FAILED" },
      });
      await queue.retry(bad.id, KIM);
      expect(await ask(bench, bad.id)).toMatchObject({
        rule: "queue.stopped-without-failed-job",
        facts: { failedJob: bad.id },
      });
    });

    it("names a failing destination and its probe", async (bench) => {
      const queue = bench.queue<string>({ backoff: { delay: "5s" } });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 2 });
      const [probe, other] = await queue.addMany(["probe", "other"]);
      const [first, second] = [await manual.take(probe?.id), await manual.take(other?.id)];
      first.fail(new DestinationDown("away"));
      await bench.reaches(probe?.id as string, "scheduled");
      second.fail(new DestinationDown("away"));
      await bench.reaches(other?.id as string, "ready");
      expect(await ask(bench, probe?.id as string)).toMatchObject({
        rule: "job.probing",
        facts: { code: "DestinationDown", attempts: 1, mostAttempts: 6 },
      });
      expect(await ask(bench, other?.id as string)).toMatchObject({
        rule: "queue.degraded",
        facts: { probe: probe?.id },
      });
      await queue.cancel(probe?.id as string, KIM);
      const changed = await queue.status();
      expect(changed.probeJobId).toBe(other?.id);
    });

    it("says that the probe of a degraded queue is the next to run", async (bench) => {
      const queue = bench.queue<string>({ backoff: { delay: "1s" } });
      const manual = bench.manualHandler();
      const worker = await queue.work(manual.handler);
      const { id } = await queue.add("probe");
      (await manual.take()).fail(new DestinationDown("away"));
      await bench.reaches(id, "scheduled");
      await worker.close();
      await queue.runNow(id, KIM);
      expect((await ask(bench, id)).rule).toBe("queue.probe-next");
    });

    it("gives the number of jobs ahead, and says when a job is the next", async (bench) => {
      const queue = bench.queue<number>();
      const manual = bench.manualHandler();
      const added = await queue.addMany([1, 2, 3, 4]);
      await queue.work(manual.handler, { places: 1 });
      await manual.take();
      expect((await ask(bench, added[1]?.id as string)).rule).toBe("line.next");
      expect(await ask(bench, added[3]?.id as string)).toMatchObject({
        rule: "line.ahead",
        facts: { ahead: 2 },
      });
    });

    it("says that a limit of the queue is reached", async (bench) => {
      const queue = bench.queue<number>({ concurrency: 2 });
      const manual = bench.manualHandler();
      const added = await queue.addMany([1, 2, 3, 4]);
      await queue.work(manual.handler);
      await manual.takeMany(2);
      expect(await ask(bench, added[3]?.id as string)).toMatchObject({
        rule: "queue.concurrency",
        facts: { limit: 2, running: 2, ahead: 1 },
      });
    });

    it("says that a tenant uses all its places, or that the rate allows no start yet", async (bench) => {
      const shared = bench.queue<number>({ tenantConcurrency: 1 });
      const manual = bench.manualHandler();
      const added = await shared.addMany([1, 2], { tenant: "acme" });
      await shared.work(manual.handler);
      await manual.take();
      const why = await ask(bench, added[1]?.id as string);
      expect(why).toMatchObject({ rule: "queue.tenant-concurrency", facts: { tenant: "acme", limit: 1 } });
      const slow = bench.andon.queue<number>("slow", { limiter: { max: 1, duration: "1m" } });
      const timed = await slow.addMany([1, 2]);
      await slow.work(manual.handler);
      await manual.take(timed[0]?.id);
      expect((await ask(bench, timed[1]?.id as string)).rule).toBe("queue.rate");
    });

    it("says what a serial line waits for", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial" });
      const manual = bench.manualHandler();
      const [first, second] = await queue.addMany(["first", "second"]);
      await queue.work(manual.handler);
      const call = await manual.take();
      expect(await ask(bench, second?.id as string)).toMatchObject({
        rule: "line.running",
        facts: { by: first?.id },
      });
      call.fail(new Error("no"));
      const { runAt } = await bench.reaches(first?.id as string, "scheduled");
      expect(await ask(bench, second?.id as string)).toMatchObject({
        rule: "line.backoff",
        facts: { by: first?.id, until: runAt },
      });
    });

    it("says that a running job is being cancelled", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const call = await manual.take();
      await queue.cancel(id, { actor: "kim" });
      expect(await ask(bench, id)).toMatchObject({ rule: "job.cancelling", facts: { by: "kim" } });
      call.fail(new Error("cancelled"));
      await bench.reaches(id, "cancelled");
      expect((await ask(bench, id)).en).toBe("It was cancelled by kim (-).");
    });

    it("gives an organisation nothing about another's jobs in its tenant's lane, and its own without a count", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const theirs = await queue.add("1", { key: "k", tenant: "acme", organization: "south" });
      const mine = await queue.add("2", { key: "k", tenant: "acme", organization: "north" });
      const call = await manual.take(theirs.id);
      const waits = { rule: "lane.waits", facts: { queue: "line", key: "k" } };
      expect(await ask(bench, mine.id, NORTH)).toMatchObject(waits);
      call.fail(Object.assign(new Error("no"), { code: "NOPE" }));
      await bench.reaches(theirs.id, "failed");
      const held = await ask(bench, mine.id, NORTH);
      expect(held).toMatchObject(waits);
      expect(JSON.stringify(held)).not.toMatch(new RegExp(`${theirs.id}|NOPE`));
      await expect(bench.andon.why(theirs.id, NORTH)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });

      const head = await queue.add("3", { key: "own", tenant: "acme", organization: "north" });
      const behind = await queue.add("4", { key: "own", tenant: "acme", organization: "north" });
      const own = await manual.take(head.id);
      const why = await ask(bench, behind.id, NORTH);
      expect(why).toMatchObject({
        rule: "lane.behind-own",
        facts: { headJob: head.id, headState: "running" },
      });
      expect(why.facts).not.toHaveProperty("ahead");
      own.fail(Object.assign(new Error("no"), { code: "MINE" }));
      await bench.reaches(head.id, "failed");
      expect(await ask(bench, behind.id, NORTH)).toMatchObject({
        rule: "lane.held-by-failure",
        facts: { failedJob: head.id, reason: "MINE" },
      });
    });

    it("says to a tenant that the line is stopped or waits, and not for which job", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "stop-queue" });
      const theirs = await queue.add("bad", { tenant: "other" });
      const mine = await queue.add("waits", { tenant: "acme" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      const call = await manual.take(theirs.id);
      expect(await ask(bench, mine.id, { tenant: "acme" })).toMatchObject({ rule: "line.next" });
      call.fail(new Error("no"));
      await bench.reaches(theirs.id, "failed");
      const why = await ask(bench, mine.id, { tenant: "acme" });
      expect(why.rule).toBe("queue.stopped");
      expect(JSON.stringify(why)).not.toContain(theirs.id);
    });

    it("says to a tenant that a serial line waits, and not for which job", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial" });
      const theirs = await queue.add("first", { tenant: "other" });
      const mine = await queue.add("second", { tenant: "acme" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const call = await manual.take(theirs.id);
      const waits = { rule: "line.waits", facts: { queue: "line" } };
      expect(await ask(bench, mine.id, { tenant: "acme" })).toMatchObject(waits);
      call.fail(new Error("no"));
      await bench.reaches(theirs.id, "scheduled");
      const why = await ask(bench, mine.id, { tenant: "acme" });
      expect(why).toMatchObject(waits);
      expect(JSON.stringify(why)).not.toContain(theirs.id);
    });

    it("says to a tenant that the destination fails, without naming another's probe", async (bench) => {
      const queue = bench.queue<string>({ backoff: { delay: "5s" } });
      const theirs = await queue.add("probe", { tenant: "other" });
      const mine = await queue.add("other", { tenant: "acme" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      (await manual.take(theirs.id)).fail(new DestinationDown("away"));
      await bench.reaches(theirs.id, "scheduled");
      const why = await ask(bench, mine.id, { tenant: "acme" });
      expect(why.rule).toBe("queue.destination-sick");
      expect(JSON.stringify(why)).not.toContain(theirs.id);
    });

    it("explains a job that waits for the next wave", async (bench) => {
      const queue = bench.queue<number>({ timeout: "1h" });
      const manual = bench.manualHandler();
      await queue.stop(KIM);
      const jobs = await queue.addMany([1, 2, 3]);
      await queue.work(manual.handler, { places: 5 });
      await queue.resume(KIM, { ramp: true });
      await manual.take();
      const why = await ask(bench, jobs[2]?.id as string);
      expect(why).toMatchObject({ rule: "queue.ramping", facts: { wave: 1, of: 3, open: 1 } });
    });

    it("names a full stage, the event of a parked job, and how a cancelled job ends", async (bench) => {
      const queue = bench.queue<string>({
        stages: [
          { name: "one", rollBack: true },
          { name: "two", concurrency: 1 },
        ],
      });
      const manual = bench.manualHandler();
      const rollBack = () => new Promise(() => {});
      await queue.work({ one: { run: () => {}, rollBack }, two: manual.handler });
      const [first, second] = await queue.addMany(["first", "second"]);
      const call = await manual.take(first?.id);
      await bench.passUntil(
        "the other waits",
        async () => (await bench.job(second?.id as string)).stage === "two",
      );
      expect(await ask(bench, second?.id as string)).toMatchObject({ rule: "stage.concurrency" });
      expect((await ask(bench, second?.id as string, { tenant: "default" })).rule).toBe("line.waits");
      await queue.cancel(first?.id as string, KIM, { at: "boundary" });
      expect((await ask(bench, first?.id as string)).rule).toBe("job.cancelling-at-boundary");
      call.succeed();
      await bench.passUntil("it is rolled back", async () => {
        const { state, cancelling } = await bench.job(first?.id as string);
        return state === "running" && cancelling !== null;
      });
      expect((await ask(bench, first?.id as string)).rule).toBe("job.rolling-back");
      (await manual.take(second?.id)).fail(new Park("upload", { until: "1h" }));
      await bench.reaches(second?.id as string, "parked");
      expect((await ask(bench, second?.id as string)).rule).toBe("job.parked-until");
    });

    it("has used every rule that has a sentence", async (bench) => {
      const rules = seen.get(bench.kind.name) ?? new Set();
      expect([...rules].sort()).toEqual(Object.keys(WHY_SENTENCES).sort());
    });
  });
}
