import type { Mode } from "./contender.ts";
import memory, { FAULTS } from "./contenders/memory.ts";
import { runRound } from "./round.ts";
import { SCENARIOS } from "./scenarios/index.ts";

/** The scenario that must notice each fault of the queue in memory. */
const MUST_NOTICE: Record<string, string> = {
  "loses a job": "drain",
  "runs a job twice": "drain",
  "swaps two jobs": "keys-10",
  "forgets to finish": "serial",
  "goes on after a failure": "stop",
};

/**
 * The queue in memory exists in one process, so it cannot survive that process's death, and nobody else can count its jobs. It
 * has neither a server nor stages.
 */
const BEYOND_MEMORY: readonly Mode[] = ["server", "staged", "counted"];

/** Short, because a fault that shows as "never finished" needs no longer wait. */
const TIMEOUT_SECONDS = 10;

/**
 * A benchmark that cannot fail proves nothing. Checks that every scenario passes an honest queue and that each fault is
 * noticed.
 */
export async function selfTest(): Promise<boolean> {
  let good = true;
  const say = (ok: boolean, text: string) => {
    good &&= ok;
    console.log(`${ok ? "ok  " : "FAIL"} ${text}`);
  };
  for (const scenario of SCENARIOS) {
    if (scenario.name === "recovery" || BEYOND_MEMORY.includes(scenario.mode)) continue;
    const result = await runRound({ ...scenario, timeoutSeconds: 60 }, memory, "honest", true, undefined);
    const wrong = "error" in result ? result.error : result.outcome.problems.join("; ");
    say(wrong === "", `${scenario.name}: an honest queue passes ${wrong}`);
  }
  for (const fault of FAULTS) {
    const scenario = SCENARIOS.find((one) => one.name === MUST_NOTICE[fault]);
    if (scenario === undefined) throw new Error(`no scenario notices a queue that ${fault}`);
    const result = await runRound(
      { ...scenario, timeoutSeconds: TIMEOUT_SECONDS },
      memory,
      fault,
      true,
      undefined,
    );
    const seen =
      "error" in result
        ? result.error
        : result.outcome.problems.join("; ") || countedFault(result.outcome.figures);
    say(seen !== "", `${scenario.name}: a queue that ${fault} is noticed (${seen.split("\n")[0]})`);
  }
  return good;
}

function countedFault(figures: Record<string, number>): string {
  const counted = ["leaks", "early", "inversions"].filter((name) => (figures[name] ?? 0) > 0);
  return counted.map((name) => `${figures[name]} ${name}`).join(", ");
}
