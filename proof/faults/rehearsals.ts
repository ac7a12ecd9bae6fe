import { KINDS, Site } from "@andon/testkit/processes";
import {
  addOutcome,
  contradictionsIn,
  emptyOutcome,
  type Outcome,
  rehearsedLine,
} from "@andon/testkit/proof";
import type { Fault, FaultRun } from "../fault.ts";

const LINES = 200;

/** Not a fault: compares the prediction of a rehearsal with what then happens. */
export const rehearsals: Fault = {
  name: "rehearsals",
  shows: `what a rehearsal tells of ${LINES} random lines is what then happens`,
  kinds: KINDS,
  weight: 1,
  run: rehearseAll,
};

async function rehearseAll(run: FaultRun): Promise<Outcome> {
  const outcome = emptyOutcome();
  const site = await Site.open(run.kind, run.serverUrl);
  try {
    for (let index = 0; index < LINES && outcome.findings.length === 0; index++) {
      const seed = run.seed + index;
      const findings = await rehearsedLine(site.andon, seed);
      addOutcome(outcome, { rounds: 1, findings: findings.map((text) => `seed ${seed}: ${text}`) });
    }
    addOutcome(outcome, { findings: await contradictionsIn(site), figures: { lines: outcome.rounds } });
    run.say(`${outcome.rounds} lines`);
  } finally {
    await site.close();
  }
  return outcome;
}
