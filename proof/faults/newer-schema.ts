import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { KINDS, type Site, seeded } from "@andon/testkit/processes";
import { addOutcome, emptyOutcome, judgeDone, type Outcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

const PROCESSES = 3;
const JOBS = 1_500;
const STOPPED_JOBS = 20;
const LANES = 40;
const PATIENCE_MS = 120_000;
const queue = "migrated";
const stopped = "standing";
const operator = { actor: "operator", reason: "proof" };

/** Sorts after every migration that this version knows. */
const NEWER = "999-proof.sql";
/** In the order in which claims and adds lock them, the queues first, so that a claim in progress can finish. */
const GROWN = ["queues", "lanes", "running", "jobs", "lane_jobs", "ready", "timers", "tallies", "claim_log"];

/** A newer version migrates the schema while workers of this version run; then an old version tries to start. */
export const newerSchema: Fault = {
  name: "migration",
  shows:
    "a newer schema under running workers: nothing lost, a stop stays a stop, an old worker does not start",
  kinds: KINDS,
  weight: 2,
  run: (run) => playRounds(run, migrateOnce),
};

async function migrateOnce(site: Site, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: JOBS + STOPPED_JOBS };
  const standing = site.andon.queue<object>(stopped);
  await standing.stop(operator);
  await standing.addMany(Array.from({ length: STOPPED_JOBS }, (_, n) => ({ n })));
  const line = site.andon.queue<object>(queue);
  await line.addMany(
    Array.from({ length: JOBS }, (_, n) => ({ n, ms: 2 + random.below(10) })),
    () => ({ key: `lane-${random.below(LANES)}` }),
  );
  const fleet = await site.spawn(PROCESSES);
  for (const member of fleet) {
    await member.ask({ do: "work", queue, places: 4 });
    await member.ask({ do: "work", queue: stopped, places: 2 });
  }
  await site.until("at work", () => site.count("end", queue) >= 100 + random.below(JOBS / 2), PATIENCE_MS);
  const began = performance.now();
  await migrate(site);
  outcome.figures.migrationMs = Math.round(performance.now() - began);
  const left = JOBS - site.count("end", queue);
  if (left === 0) outcome.findings.push("nothing was left to do after the migration");

  const answer = await site.spawn(1).then(
    () => "it started",
    (error: Error) => error.message,
  );
  if (!answer.includes("SCHEMA_TOO_NEW")) outcome.findings.push(`an old process was not refused: ${answer}`);

  await site.drained(queue, JOBS, PATIENCE_MS);
  const started = site.count("start", stopped);
  if (started > 0) outcome.findings.push(`${started} jobs of a stopped queue were started`);
  await standing.resume(operator);
  await site.drained(stopped, STOPPED_JOBS, PATIENCE_MS);
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  addOutcome(outcome, await judgeDone(site, queue, numbers(JOBS)));
  addOutcome(outcome, await judgeDone(site, stopped, numbers(STOPPED_JOBS)));
  if (outcome.doubled > 0) outcome.findings.push(`${outcome.doubled} effects were doubled`);
  const told = fleet.flatMap((member) => member.child.stderr.match(/^told: .*$/gm) ?? []);
  outcome.figures.errorsTold = told.length;
  for (const error of new Set(told)) if (!error.includes("deadlock")) outcome.findings.push(error);
  return outcome;
}

/** The stores accept other sets of migrations than their own. */
interface SetsOfMigrations {
  migrate(sets?: readonly { name: string; folder: URL }[]): Promise<void>;
}

/** Adds a column to every hot table, as a newer version might. */
async function migrate(site: Site): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "andon-newer-"));
  try {
    for (const kind of KINDS) {
      mkdirSync(join(folder, kind));
      const text = GROWN.map((table) => `alter table andon_${table} add column proof_note text;`).join("\n");
      writeFileSync(join(folder, kind, NEWER), text);
    }
    const store: SetsOfMigrations = site.andon.store;
    await store.migrate([{ name: "engine", folder: pathToFileURL(`${folder}/`) }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
