import { isDeepStrictEqual } from "node:util";
import { isAndonError } from "@andon/contract";
import { KINDS, type Member, type Site, seeded } from "@andon/testkit/processes";
import { addOutcome, contradictionsIn, emptyOutcome, judgeLedger, type Outcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

const JOBS = 300;
const CRASHER = 40;
const PROCESSES = 3;
const PATIENCE_MS = 120_000;
const queue = "poison";
const rules = { lease: 1_000, sweep: 300, maxStalled: 2, onFinalFailure: "hold-lane" as const };

/** A job that crashes its process at every attempt, and unusual payloads. */
export const poison: Fault = {
  name: "poison",
  shows:
    "a job that crashes its process ends STALLED and the others go on; strange payloads refused or carried",
  kinds: KINDS,
  weight: 2,
  async run(run) {
    const total = await playRounds(run, async (site, seed) => {
      const outcome = await crash(site, seed);
      outcome.findings.push(...(await strangePayloads(site)), ...(await contradictionsIn(site)));
      return outcome;
    });
    return total;
  },
};

async function crash(site: Site, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: JOBS };
  const fleet = await site.spawn(PROCESSES);
  const work = (member: Member) => member.ask({ do: "work", queue, rules, places: 2 });
  await Promise.all(fleet.map(work));
  const line = site.andon.queue<object>(queue, rules);
  const added = await line.addMany(
    Array.from({ length: JOBS }, (_, n) => ({
      n,
      ms: 2 + random.below(10),
      ...(n === CRASHER ? { crash: true } : {}),
    })),
    (_, n) => ({ key: n === CRASHER ? "crasher" : `lane-${n % 30}` }),
  );
  // Replaces each dead process, as a service manager would.
  let replacing = true;
  const replace = async (index: number) => {
    while (replacing) {
      const member = fleet[index] as Member;
      await member.child.exited;
      if (!replacing) return;
      site.ledger.note({ what: "killed", pid: member.pid });
      outcome.kills++;
      const [fresh] = (await site.spawn(1)) as [Member];
      fleet[index] = fresh;
      // Its first job may crash it before it answers.
      await work(fresh).catch(() => {});
    }
  };
  const replaced = fleet.map((_, index) => replace(index));
  const isOver = async () => {
    const { done, failed } = await site.counts(queue);
    return done + failed >= JOBS;
  };
  try {
    await site.until("all but the crasher is done", isOver, PATIENCE_MS);
  } finally {
    replacing = false;
    await Promise.all(fleet.map((member) => member.child.kill("SIGTERM")));
    await Promise.allSettled(replaced);
  }

  const { done, failed } = await site.counts(queue);
  outcome.lost = JOBS - 1 - done;
  if (failed !== 1 || done !== JOBS - 1)
    outcome.findings.push(`${failed} jobs failed and ${done} are done, instead of 1 and ${JOBS - 1}`);
  const job = await site.andon.job(added[CRASHER]?.id ?? "");
  if (job?.state !== "failed" || job.error?.code !== "STALLED")
    outcome.findings.push(`the crasher is ${job?.state} (${job?.error?.code})`);
  const lanes = await line.lanes({ held: true });
  if (lanes.items.map(({ key }) => key).join() !== "crasher")
    outcome.findings.push(`held lanes: ${lanes.items.map(({ key }) => key)}`);
  const judged = judgeLedger(site.ledger.read(), queue);
  addOutcome(outcome, judged);
  return outcome;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

const STRANGE: Record<string, () => unknown> = {
  "a string of 1 MB": () => "x".repeat(1_000_000),
  "a string just below 1 MB": () => "x".repeat(999_900),
  "999,900 bytes of Korean": () => "가".repeat(333_300),
  NUL: () => "a\u0000b",
  "half a character": () => "a\ud800b",
  "JSON 1,000 deep": () => nested(1_000),
  "JSON 100,000 deep": () => nested(100_000),
  "a key that is __proto__": () => JSON.parse('{"__proto__": {"n": 1}}'),
};

/** Checks that each unusual payload is refused with a reason, or carried unchanged to its handler and back. */
async function strangePayloads(site: Site): Promise<string[]> {
  const findings: string[] = [];
  const line = site.andon.queue<unknown>("strange");
  const carried = new Map<string, unknown>();
  const seen = new Map<string, unknown>();
  for (const [what, make] of Object.entries(STRANGE)) {
    const payload = make();
    try {
      const { id } = await line.add(payload, { key: what });
      carried.set(id, payload);
    } catch (error) {
      if (!isAndonError(error)) findings.push(`${what}: ${(error as Error).message}`);
    }
    const key = await line.add(1, { key: `${what}\u0000` }).catch((error: unknown) => error);
    if (!isAndonError(key, "INVALID_OPTION")) findings.push("a key with NUL was not refused");
  }
  const handle = await line.work(async (job) => {
    seen.set(job.id, job.payload);
    return job.payload;
  });
  await site.until("all strange ones ran", () => seen.size >= carried.size, PATIENCE_MS);
  await handle.close();
  for (const [id, payload] of carried) {
    const job = await site.andon.job(id);
    if (job?.state !== "done" || !isDeepStrictEqual(seen.get(id), payload))
      findings.push(`${job?.id} was changed on its way, or is ${job?.state}`);
  }
  return findings;
}
