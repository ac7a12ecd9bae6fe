import { Site } from "@andon/testkit/processes";
import { addOutcome, emptyOutcome, type Outcome } from "@andon/testkit/proof";
import type { FaultRun } from "./fault.ts";

/** Runs rounds, each on its own store: `least` of them, then more until the time is used up or a round reports a finding. */
export async function playRounds(
  run: FaultRun,
  round: (site: Site, seed: number) => Promise<Outcome>,
  { least = 1 }: { least?: number } = {},
): Promise<Outcome> {
  const total = emptyOutcome();
  const began = performance.now();
  for (let index = 0; index < least || performance.now() - began < run.budgetMs; index++) {
    const site = await Site.open(run.kind, run.serverUrl);
    try {
      const outcome = await round(site, run.seed + index);
      addOutcome(total, outcome);
      run.say(`round ${index + 1}: ${outcome.jobs} jobs, ${outcome.kills} kills`);
    } catch (error) {
      addOutcome(total, { rounds: 1, findings: [`round ${index + 1}: ${(error as Error).message}`] });
    } finally {
      await site.close();
    }
    if (total.findings.length > 0) break;
  }
  return total;
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
