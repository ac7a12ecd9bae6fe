import { spawnNode } from "@andon/testkit";
import { emptyOutcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";

const FIXTURE = new URL("../../apps/broadcast/test/random-aborts.fixture.ts", import.meta.url);
const MOST_ROUNDS = 300;
/** Time allowed beyond the budget, for the round in progress and for starting and stopping the servers. */
const SLACK_MS = 120_000;

interface Found {
  readonly rounds: number;
  readonly troubles: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Aborts bulk jobs at random moments while a worker, Redis or the database fails. */
export const bulkAborts: Fault = {
  name: "bulk-aborts",
  shows:
    "Bulk jobs aborted at random moments, worker, Redis or database failing: whole chunks, nobody twice, nobody missed",
  kinds: ["sqlite", "postgres"],
  weight: 6,
  async run({ kind, seed, budgetMs, say }) {
    const child = spawnNode(FIXTURE, [kind, String(seed), String(Math.round(budgetMs)), String(MOST_ROUNDS)]);
    try {
      const line = await child.waitForLine("found ", budgetMs + SLACK_MS);
      const found = JSON.parse(line.slice("found ".length)) as Found;
      say(`${found.rounds} aborts: ${JSON.stringify(found.troubles)}`);
      return { ...emptyOutcome(), rounds: found.rounds, jobs: found.rounds, findings: [...found.problems] };
    } catch (error) {
      return { ...emptyOutcome(), rounds: 1, findings: [(error as Error).message] };
    } finally {
      await child.kill("SIGKILL");
    }
  },
};
