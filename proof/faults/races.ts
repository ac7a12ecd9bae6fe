import { KINDS, type Member, type SeededRandom, type Site, seeded } from "@andon/testkit/processes";
import { addOutcome, contradictionsIn, emptyOutcome, judgeLedger, type Outcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

const PROCESSES = 3;
const JOBS = 150;
const CALLS = 40;
const PATIENCE_MS = 60_000;
const queue = "races";
const rules = { attempts: 1, onFinalFailure: "stop-queue" as const, settleGrace: 1_000 };
const decision = { actor: "operator", reason: "race" };
/** Valid answers to the loser of a race. */
const LOST_RACE = /JOB_STATE|JOB_NOT_FOUND|LANE_HELD_BY_FAILURE|LANE_NOT_FOUND/;

/**
 * Several processes decide about the same jobs while others run them: cancel and complete, stop and fail, retry and resume.
 */
export const races: Fault = {
  name: "races",
  shows: "cancel/complete, stop/fail and retry/resume from several processes at once: no illegal state",
  kinds: KINDS,
  weight: 3,
  run: (run) => playRounds(run, raceOnce),
};

async function raceOnce(site: Site, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: JOBS };
  const operators = await site.spawn(PROCESSES);
  const workers = await site.spawn(2);
  await Promise.all(workers.map((member) => member.ask({ do: "work", queue, rules, places: 4 })));
  const line = site.andon.queue<object>(queue, rules);
  const added = await line.addMany(
    Array.from({ length: JOBS }, (_, n) => ({ n, ms: 5 + random.below(30), final: n % 9 === 4 })),
    (_, n) => ({ key: `lane-${n % 20}` }),
  );
  const ids = added.map(({ id }) => id);
  const cancelled = new Map<string, string[]>();
  const retried = new Map<string, number>();
  const decide = async (operator: Member, own: SeededRandom) => {
    for (let call = 0; call < CALLS; call++) {
      const failed = (await line.jobs("failed")).items.map(({ id }) => id);
      await one(site, operator, own, ids, failed, { cancelled, retried }, outcome);
    }
  };
  await Promise.all(operators.map((operator, index) => decide(operator, seeded(seed * 31 + index))));
  outcome.figures.decisions = PROCESSES * CALLS;

  // One operator settles the rest: failed jobs are skipped until nothing is left.
  const isOver = async () => {
    const { failed, running, ready, blocked, scheduled } = await site.counts(queue);
    if (failed > 0 || (await line.status()).state !== "open") await line.skipAllAndResume(decision);
    return failed + running + ready + blocked + scheduled === 0;
  };
  await site.until("all is settled", isOver, PATIENCE_MS);
  await judge(site, outcome, cancelled, retried);
  addOutcome(outcome, { findings: await contradictionsIn(site) });
  addOutcome(outcome, judgeLedger(site.ledger.read(), queue));
  return outcome;
}

type Calls = { cancelled: Map<string, string[]>; retried: Map<string, number> };

async function one(
  site: Site,
  operator: Member,
  random: SeededRandom,
  ids: readonly string[],
  failed: readonly string[],
  { cancelled, retried }: Calls,
  outcome: Outcome,
): Promise<void> {
  const pick = (from: readonly string[]) => from[random.below(from.length)] as string;
  const call = (verb: "cancel" | "retry" | "skip" | "stop" | "resume", ...args: unknown[]) =>
    operator.ask({ do: "call", queue, rules, verb, args: [...args, decision] });
  try {
    const chance = random.below(10);
    if (chance < 4) {
      const running = await site.andon.store.read.runningOf({ queue });
      const id = running.length > 0 && chance < 3 ? pick(running.map((row) => row.id)) : pick(ids);
      const answer = (await call("cancel", id)) as { outcome: string };
      cancelled.set(id, [...(cancelled.get(id) ?? []), answer.outcome]);
    } else if (chance < 6 && failed.length > 0) {
      const id = pick(failed);
      await call("retry", id);
      retried.set(id, (retried.get(id) ?? 0) + 1);
    } else if (chance < 7 && failed.length > 0) await call("skip", pick(failed));
    else if (chance < 8) await call("stop");
    else await call("resume");
  } catch (error) {
    if (!LOST_RACE.test((error as Error).message))
      outcome.findings.push((error as Error).message.slice(0, 400));
  }
}

/** Checks that every answer is true at the end and has its row in the audit log. */
async function judge(
  site: Site,
  outcome: Outcome,
  cancelled: ReadonlyMap<string, string[]>,
  retried: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, answers] of cancelled) {
    const job = await site.andon.job(id);
    if (job?.state !== "cancelled") outcome.findings.push(`cancelled (${answers}), and is ${job?.state}`);
    if (answers.filter((answer) => answer === "cancelled").length > 1)
      outcome.findings.push("one job was cancelled twice");
  }
  const audited = async (action: string, target?: string) => {
    const rows = await site.query<{ target: string }>("select target from andon_audit where action = $1", [
      action,
    ]);
    return rows.filter((row) => target === undefined || row.target === target).length;
  };
  for (const [id, times] of retried)
    if ((await audited("job.retry", `job:${id}`)) !== times)
      outcome.findings.push(
        `${times} retries of one job were answered, and not that many are in the audit log`,
      );
  const stops = await site.andon.store.read.stops(queue, 1, 100);
  const epochs = new Set(stops.items.map(({ epoch }) => epoch));
  if (epochs.size !== stops.items.length) outcome.findings.push("two stops have one epoch");
  for (const { id } of stops.items) {
    const verdict = await site.andon.verifyStop(id);
    if (!verdict.holds) outcome.findings.push(`a stop does not hold: ${JSON.stringify(verdict.violations)}`);
  }
  outcome.figures.stops = (outcome.figures.stops ?? 0) + stops.items.length;
  const ended = await site.query<{ job_state: string; count: number }>(
    "select job_state, count(*) as count from andon_job_states group by job_state",
  );
  const settled = ended.filter(({ job_state }) => /done|cancelled|resolved/.test(job_state));
  const sum = settled.reduce((total, { count }) => total + Number(count), 0);
  outcome.lost = JOBS - sum;
  if (outcome.lost > 0) outcome.findings.push(`${JSON.stringify(ended)} of ${JOBS} jobs`);
}
