import { JOB_STATES } from "@andon/contract";
import { seeded } from "../processes/seeded.ts";
import { type Kind, type Member, Site } from "../processes/site.ts";
import { BULK_SCENES } from "./bulk-scenes.ts";
import { DECISION_SCENES } from "./decision-scenes.ts";
import { factsOf, judgeDecision } from "./facts.ts";
import { contradictionsIn, judgeLedger } from "./judge.ts";
import { addOutcome, emptyOutcome, type Outcome } from "./outcome.ts";
import type { Point } from "./points.ts";
import type { Scene } from "./scene.ts";
import { Stage } from "./stage.ts";
import { STAGE_SCENES } from "./stage-scenes.ts";
import { ANY_SCENE, WORKER_SCENES } from "./worker-scenes.ts";

const SCENES: Record<string, Scene> = {
  ...DECISION_SCENES,
  ...BULK_SCENES,
  ...WORKER_SCENES,
  ...STAGE_SCENES,
};
const DEATH_PATIENCE_MS = 30_000;

/** Ends a process by SIGKILL at this point, and lets another one continue. */
export async function strikeAt(kind: Kind, point: Point, seed: number, serverUrl?: string): Promise<Outcome> {
  const site = await Site.open(kind, serverUrl);
  try {
    const scene = SCENES[point.verb] ?? ANY_SCENE;
    const stage = new Stage(site, scene.rules ?? {}, seeded(seed));
    const outcome = await play(stage, scene, point);
    outcome.findings = outcome.findings.map((finding) => `${point.verb}:${point.moment}: ${finding}`);
    return outcome;
  } catch (error) {
    const findings = [`${point.verb}:${point.moment}: ${(error as Error).message}`];
    return { ...emptyOutcome(), rounds: 1, findings };
  } finally {
    await site.close();
  }
}

async function play(stage: Stage, scene: Scene, point: Point): Promise<Outcome> {
  const { site } = stage;
  const outcome = { ...emptyOutcome(), rounds: 1 };
  await scene.prepare?.(stage);
  const before = await factsOf(stage);
  await strike(stage, scene, point);
  // Locks of the dead process go when the server notices; a query that waits for them shows nothing new.
  const isMade = point.moment === "after-commit";
  if (scene.records)
    outcome.findings.push(...judgeDecision(before, await factsOf(stage), isMade, scene.records));
  outcome.findings.push(...((await scene.look?.(stage, point)) ?? []));
  outcome.findings.push(...((await scene.goOn?.(stage, isMade)) ?? []));

  const handle = await stage.work(true);
  await scene.settle?.(stage);
  await site.until("nothing waits or runs", async () => {
    const { running, ready, scheduled, blocked } = await site.counts(stage.name);
    return running + ready + scheduled + blocked === 0;
  });
  await handle.close();
  const wanted = await scene.ends(stage);
  const counts = await site.counts(stage.name);
  const wrong = JOB_STATES.filter((state) => counts[state] !== (wanted[state] ?? 0));
  const missing = Math.max(0, (wanted.done ?? 0) - counts.done);
  if (wrong.length > 0)
    outcome.findings.push(`ended with ${JSON.stringify(counts)} instead of ${JSON.stringify(wanted)}`);
  const jobs = Object.values(wanted).reduce((sum, count) => sum + count, 0);
  addOutcome(outcome, judgeLedger(site.ledger.read(), stage.name));
  addOutcome(outcome, { jobs, kills: stage.kills, lost: missing, findings: await contradictionsIn(site) });
  if (outcome.doubled > stage.kills * PLACES)
    outcome.findings.push(`${outcome.doubled} effects were doubled by ${stage.kills} kills`);
  return outcome;
}

/** The jobs that one process runs at once are those that its death can double, each at most once. */
const PLACES = 4;

async function strike(stage: Stage, scene: Scene, { verb, moment }: Point): Promise<void> {
  const { site } = stage;
  const env = {
    ANDON_FAIL_POINT: `${verb}:${moment}`,
    ANDON_FAIL_AFTER: String(scene.passes?.(stage) ?? 0),
  };
  const [victim] = (await site.spawn(1, site.url, env)) as [Member];
  const acted = scene.act(stage, victim).catch(() => {});
  const { exited } = victim.child;
  const late = new Promise<"late">((resolve) => {
    setTimeout(() => resolve("late"), DEATH_PATIENCE_MS).unref();
  });
  const ended = await Promise.race([exited, late]);
  if (ended === "late" || ended.signal !== "SIGKILL") {
    await victim.child.kill("SIGKILL");
    throw new Error(`the point was not passed: it needs a scene of its own\n${victim.child.stderr}`);
  }
  await acted;
  await stage.crashed(victim);
}
